import { z } from "zod";
import { SOCIAL_SERVICES } from "./constants.ts";
import { defineCall } from "./define-call.ts";

/** What the public pages need to know about this installation. */
export const site = defineCall({
  method: "GET",
  path: "/site.json",
  summary: "Who operates this platform, and which ways of signing in it offers",
  access: "public",
  reply: z.object({
    operator: z.object({ name: z.string(), email: z.string().nullable(), address: z.string().nullable() }),
    /** Identity providers that have their settings; others are not offered. */
    social: z.array(z.enum(SOCIAL_SERVICES)),
    demo: z.boolean(),
    /** Where a demo without a mail server keeps its mails, and whether this browser may read them; otherwise null. */
    mailbox: z.object({ path: z.string(), is_open: z.boolean() }).nullable(),
  }),
});
