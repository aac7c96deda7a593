import { z } from "zod";
import { SOCIAL_SERVICES } from "./constants.ts";
import { defineCall } from "./define-call.ts";

export const site = defineCall({
  method: "GET",
  path: "/site.json",
  summary: "Get the platform's operator and its identity providers",
  access: "public",
  reply: z.object({
    operator: z.object({ name: z.string(), email: z.string().nullable(), address: z.string().nullable() }),
    /** The identity providers that are set up. */
    social: z.array(z.enum(SOCIAL_SERVICES)),
    demo: z.boolean(),
    /** The publishers' share of a cleared price, in percent. */
    publisher_share: z.number(),
    /** The mailbox page of a demo without a mail server, and whether this browser may open it; otherwise null. */
    mailbox: z.object({ path: z.string(), is_open: z.boolean() }).nullable(),
  }),
});
