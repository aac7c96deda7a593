import { z } from "zod";
import { Pager } from "./apps.ts";
import { defineCall } from "./define-call.ts";
import { ById, Done, OnceByKey, SearchedPage, Uuid } from "./fields.ts";
import { TEXTS } from "./texts.ts";

const When = z.iso.datetime();

export const SUPPORT_STATES = ["open", "answered"] as const;
export type SupportState = (typeof SUPPORT_STATES)[number];

export const support = defineCall({
  method: "GET",
  path: "/support.json",
  summary: "Get the settings of the support chat, if the platform has one",
  access: "support.contact",
  reply: z.object({
    /** Intercom's boot settings; `user_hash` proves the user (HMAC-SHA-256 of the user id). */
    chat: z
      .object({
        app_id: z.string(),
        user_id: z.string(),
        user_hash: z.string(),
        name: z.string(),
        email: z.string(),
        created_at: z.int(),
      })
      .nullable(),
  }),
});

export const askSupport = defineCall({
  method: "POST",
  path: "/support.json",
  summary:
    "Send a message to support, once for each `key`. It is stored with its writer and page, and mailed to the operator",
  access: "support.contact",
  query: OnceByKey,
  body: z.strictObject({
    message: z.string().trim().min(1, TEXTS.required).max(5000),
    page: z.string().max(2048),
  }),
  reply: z.object({ message: z.string() }),
});

const SupportMessage = z.object({
  uuid: Uuid,
  created_at: When,
  message: z.string(),
  state: z.enum(SUPPORT_STATES),
  reply: z.string().nullable(),
  replied_at: When.nullable(),
});

/** A user's own message. */
export type OwnSupportMessage = z.infer<typeof SupportMessage>;

export const supportMessages = defineCall({
  method: "GET",
  path: "/support/messages.json",
  summary: "List the user's own messages to support with their answers, newest first",
  access: "support.contact",
  reply: z.object({ messages: z.array(SupportMessage) }),
});

export const DeskMessage = SupportMessage.extend({
  page: z.string(),
  writer: z.object({ uuid: Uuid, name: z.string(), email: z.string(), role: z.string() }),
  account: z.object({ uuid: Uuid, name: z.string() }),
  /** The admin who wrote it while impersonating. */
  visitor: z.string().nullable(),
  /** Whether the writer can get mail; a sub-user reads the answer on the support page. */
  has_mailbox: z.boolean(),
  replied_by: z.string().nullable(),
});
export type DeskMessage = z.infer<typeof DeskMessage>;

export const deskMessages = defineCall({
  method: "GET",
  path: "/admin/support.json",
  summary: "List messages to support, unanswered ones first, the oldest of them on top",
  access: "admin",
  query: SearchedPage,
  reply: z.object({ messages: z.array(DeskMessage), pager: Pager }),
});

export const answerSupport = defineCall({
  method: "POST",
  path: "/admin/support/{id}/answer",
  summary: "Answer a message. The answer is mailed to the writer and shown on their support page",
  access: "admin",
  params: ById,
  body: z.strictObject({ reply: z.string().trim().min(1, TEXTS.required).max(5000) }),
  reply: Done,
});
