import { z } from "zod";
import { FORMATS } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { Uuid } from "./fields.ts";

export const demoConfig = defineCall({
  method: "GET",
  path: "/demo/config.json",
  summary: "Get the demo page's app; 404 if no demo runs",
  access: "public",
  reply: z.object({
    app: Uuid,
    name: z.string(),
    zones: z.array(z.object({ zone: z.string(), format: z.enum(FORMATS) })),
  }),
});

// HTML pages. Access is restricted, because links in the mails open accounts.
export const demoMailbox = defineCall({
  method: "GET",
  path: "/demo/mail",
  summary:
    "List the demo's mails as a page, newest first; 404 except for admins and browsers that have used the key printed at the start",
  access: "public",
  query: z.strictObject({ key: z.string().max(64).optional() }),
  reply: z.string(),
  replyTypes: ["text/html"],
});

export const demoMail = defineCall({
  method: "GET",
  path: "/demo/mail/{id}",
  summary: "Get one of the demo's mails as a page; 404 without access to the list",
  access: "public",
  params: z.strictObject({ id: z.string().max(64) }),
  reply: z.string(),
  replyTypes: ["text/html"],
});
