import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { ById } from "./fields.ts";
import { StatsDay } from "./filters.ts";

/** The most impressions in one answer. */
export const IMPRESSIONS_AT_ONCE = 10_000;

/** The header with the place from which the next answer goes on; missing in the last one of a day. */
export const NEXT_IMPRESSIONS = "x-next-after";

export const ImpressionsQuery = z.strictObject({
  day: StatsDay,
  /** From `NEXT_IMPRESSIONS` of the answer before: a moment in epoch milliseconds and an event's id. */
  after: z
    .string()
    .regex(/^\d{1,14}~[\w-]{1,64}$/, "Use the place from the answer before")
    .optional(),
  rows: z.coerce.number().int().min(1).max(IMPRESSIONS_AT_ONCE).default(IMPRESSIONS_AT_ONCE),
});

export const appImpressions = defineCall({
  method: "GET",
  path: "/apps/{id}/impressions.csv",
  summary: `Download the counted impressions of one app and day as CSV, oldest first, at most ${IMPRESSIONS_AT_ONCE} at once`,
  access: "apps.read",
  params: ById,
  query: ImpressionsQuery,
  reply: z.string(),
  replyTypes: ["text/csv"],
  replyHeaders: { [NEXT_IMPRESSIONS]: "Gets the next ones as `after`. Absent if the day has no more" },
});
