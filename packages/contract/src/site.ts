import { z } from "zod";
import { SOCIAL_SERVICES } from "./constants.ts";
import { defineCall } from "./define-call.ts";

/** What the public pages need to know of this installation. */
export const site = defineCall({
  method: "GET",
  path: "/site.json",
  summary: "Who operates this platform, and which ways of signing in it offers",
  access: "public",
  reply: z.object({
    operator: z.object({ name: z.string(), email: z.string().nullable(), address: z.string().nullable() }),
    /** Networks that have their settings; others are not offered. */
    social: z.array(z.enum(SOCIAL_SERVICES)),
    demo: z.boolean(),
    /** Where a demo without a mail server keeps its mails, and whether this browser may read them; else null. */
    mailbox: z.object({ path: z.string(), is_open: z.boolean() }).nullable(),
  }),
});

export const support = defineCall({
  method: "GET",
  path: "/support.json",
  summary: "How to reach support: a chat with what it is started with, a message by mail, or neither",
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
    mail: z.boolean(),
  }),
});

export const askSupport = defineCall({
  method: "POST",
  path: "/support.json",
  summary: "Mail a message to support, with who wrote it and from which page",
  access: "support.contact",
  body: z.strictObject({
    message: z.string().trim().min(1, "This field is required").max(5000),
    page: z.string().max(2048),
  }),
  reply: z.object({ message: z.string() }),
});
