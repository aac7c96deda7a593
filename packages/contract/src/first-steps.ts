import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { Day, ById } from "./fields.ts";

/** From a new app to its first ad, in order. `app_ads` comes last and holds nothing up. */
export const FIRST_STEPS = ["app", "demand", "snippet", "request", "impression", "app_ads"] as const;

/** `waiting` is done by an event that has not happened yet, `todo` by the user. */
export const STEP_STATES = ["done", "waiting", "todo", "failed"] as const;

export const FirstStep = z.object({
  step: z.enum(FIRST_STEPS),
  state: z.enum(STEP_STATES),
  /** Connected partners, or counted sessions, requests or impressions; null for steps that count nothing. */
  count: z.int().nullable(),
  /** The UTC day of the first counted event; null before it, and for steps that count no events. */
  since: Day.nullable(),
});
export type FirstStep = z.infer<typeof FirstStep>;

export const FirstSteps = z.object({
  steps: z.array(FirstStep),
  moderation: z.enum(["check", "live", "banned"]),
  /** A sample app serves no ads, so its steps never tick. */
  is_sample: z.boolean(),
  /** Active partners of the platform. */
  partners_available: z.int(),
  /** The demo's partners can be connected with `connectDemoPartners`. */
  has_demo_partners: z.boolean(),
  /** Events that were recorded but not counted, while no impression is counted: tests, crawlers, late or repeated ones. */
  not_counted: z.int(),
  /** The developer's site is known; its app-ads.txt is then checked now and then. */
  has_site: z.boolean(),
});
export type FirstSteps = z.infer<typeof FirstSteps>;

export const firstSteps = defineCall({
  method: "GET",
  path: "/apps/{id}/first_steps.json",
  summary: "Get an app's steps to its first ad, each done by a real event",
  access: "apps.read",
  params: ById,
  reply: FirstSteps,
});

/** Gives the app keys at the demo's partners. Outside demo mode there are none: 422. */
export const connectDemoPartners = defineCall({
  method: "POST",
  path: "/apps/{id}/demo_partners",
  summary: "Connect an app to the demo's partners, to see its first ads",
  access: "keys.manage",
  params: ById,
  reply: FirstSteps,
});
