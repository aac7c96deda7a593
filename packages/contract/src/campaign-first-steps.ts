import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { STEP_STATES } from "./first-steps.ts";
import { Day, Micros } from "./fields.ts";

/** From a new advertiser to the first spend, in order. */
export const CAMPAIGN_STEPS = ["campaign", "balance", "approved", "spend"] as const;

export const CampaignStep = z.object({ step: z.enum(CAMPAIGN_STEPS), state: z.enum(STEP_STATES) });
export type CampaignStep = z.infer<typeof CampaignStep>;

export const CampaignFirstSteps = z.object({
  steps: z.array(CampaignStep),
  /** What campaigns have spent so far, and the UTC day of the first spend; null before it. */
  spent: Micros,
  since: Day.nullable(),
  /** Why the newest campaign does not run, in a sentence; null if it runs, is frozen, or there is none. */
  held_by: z.string().nullable(),
});
export type CampaignFirstSteps = z.infer<typeof CampaignFirstSteps>;

export const campaignFirstSteps = defineCall({
  method: "GET",
  path: "/campaign/first_steps.json",
  summary: "Get the account's steps to the first spend of a campaign, each done by a real event",
  access: "campaigns.read",
  reply: CampaignFirstSteps,
});
