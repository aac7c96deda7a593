import { z } from "zod";
import { APP_NAME_LENGTH, PLATFORMS } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { ById, OnceByKey, Uuid } from "./fields.ts";
import { nameField } from "./name-field.ts";
import { TEXTS } from "./texts.ts";

const Done = z.object({ redirect_to: z.string() });

/** An app in a store's listing. `id` is sent back to add it. */
export const LookupItem = z.object({
  id: z.string(),
  platform: z.enum(PLATFORMS),
  name: z.string(),
  logo_url: z.string().nullable(),
  url: z.string(),
});
export type LookupItem = z.infer<typeof LookupItem>;

const flag = z.boolean().default(false);

/**
 * Adds an app in one of four ways: `demo` adds two sample apps. `url` looks up a published app in its store and returns
 * a `qid`; poll with it until there are `items`. `qid` with `item` adds a found app. `dev` adds an app in development or,
 * with `url` and `manual`, a published app whose store is unavailable. An app is added once for each `key`.
 */
export const addApp = defineCall({
  method: "POST",
  path: "/apps/add_app",
  summary: "Add an app: look it up in its store, enter one in development, or add two sample apps",
  access: "apps.add",
  query: OnceByKey,
  body: z.strictObject({
    type: z.literal("apps"),
    demo: z.literal("1").optional(),
    /**
     * A store's address, or the app's id there: digits, a package name, 32 hex digits (Roku), or B0 and eight more
     * characters (Amazon).
     */
    url: z.string().trim().max(500).optional(),
    qid: z.string().min(1).max(64).optional(),
    item: z.string().min(1).max(200).optional(),
    dev: z.literal(1).optional(),
    manual: z.literal(1).optional(),
    platform: z.enum(PLATFORMS).optional(),
    name: nameField(APP_NAME_LENGTH).optional(),
    bundle_id: z.string().trim().max(200).optional(),
    is_gaming: z.int().min(0).max(1).default(0),
    /** Images only: no video, audio or scripts in ads. */
    only_image: flag,
    mute: flag,
    kids: flag,
    adult: flag,
  }),
  reply: z.object({
    redirect_to: z.string().optional(),
    qid: z.string().optional(),
    items: z.array(LookupItem).optional(),
    status: z.enum(["working", "waiting", "done", "unreachable"]).optional(),
    /** The app that was added. */
    uuid: Uuid.optional(),
    /** Says whether it awaits moderation or is live. */
    message: z.string().optional(),
  }),
});

/** For those who run all of the account's apps. Problem `conflict` if there are none. */
export const removeSampleApps = defineCall({
  method: "POST",
  path: "/apps/remove_samples",
  summary: "Remove the account's sample apps with everything about them",
  access: "account.change",
  reply: Done,
});

/** Outside a demo, an app with a new bundle id awaits moderation again. */
export const renameApp = defineCall({
  method: "POST",
  path: "/apps/{id}/tracking_url",
  summary: "Rename an app, or change its bundle id while it is in development and its SDK has not run",
  access: "settings.manage",
  params: ById,
  /** Null keeps what the app has by then. */
  body: z.strictObject({
    uuid: Uuid,
    app_name: nameField(APP_NAME_LENGTH).min(1, TEXTS.appNameRequired).nullable(),
    app_bundle_id: z.string().trim().max(200).nullable().default(null),
  }),
  reply: z.object({
    name: z.string(),
    bundle_id: z.string(),
    /** Says that the app awaits moderation, if it does because of its new bundle id. */
    message: z.string().optional(),
  }),
});

export const muteApp = defineCall({
  method: "POST",
  path: "/apps/{id}/app_mute",
  summary: "Start the app's video ads with or without sound",
  access: "settings.manage",
  params: ById,
  body: z.strictObject({ mute: z.enum(["on", "off"]), tag: z.literal(1) }),
  reply: z.object({ muted: z.boolean() }),
});

export const deleteApp = defineCall({
  method: "GET",
  path: "/apps/{id}/delete_app",
  summary: "Delete an app. It stops serving ads, and its earnings stay",
  access: "apps.delete",
  params: ById,
  reply: Done,
  changesState: true,
});

/** An HTML page for the frame in settings; `#android` and similar fragments open that platform's section. */
export const instructionFrame = defineCall({
  method: "GET",
  path: "/apps/{id}/instruction_iframe",
  summary: "Get the page of instructions for adding the SDK to an app, with the app's key",
  access: "instructions.read",
  params: ById,
  reply: z.string(),
  replyTypes: ["text/html"],
});
