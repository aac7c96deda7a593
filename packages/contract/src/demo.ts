import { z } from "zod";
import { FORMATS } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { Uuid } from "./fields.ts";

/** What the demo page needs to start the SDK. */
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
