import { z } from "zod";
import { FORMATS } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { Uuid } from "./fields.ts";

/** The data that the demo page needs to start the SDK. */
export const demoConfig = defineCall({
  method: "GET",
  path: "/demo/config.json",
  summary: "The app whose ads the demo page shows; 404 where no demo runs",
  access: "public",
  reply: z.object({
    app: Uuid,
    name: z.string(),
    zones: z.array(z.object({ zone: z.string(), format: z.enum(FORMATS) })),
  }),
});

/** HTML pages: the only access to the demo's mails, whose links open accounts. */
export const demoMailbox = defineCall({
  method: "GET",
  path: "/demo/mail",
  summary:
    "The demo's mails, newest first, as a page; 404 but for admins and for whoever has opened it with the key that the start prints",
  access: "public",
  query: z.strictObject({ key: z.string().max(64).optional() }),
  reply: z.string(),
});

export const demoMail = defineCall({
  method: "GET",
  path: "/demo/mail/{id}",
  summary: "One of the demo's mails, as a page; 404 to whoever may not see the list",
  access: "public",
  params: z.strictObject({ id: z.string().max(64) }),
  reply: z.string(),
});
