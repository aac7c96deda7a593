import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { ById, Day, Micros } from "./fields.ts";
import { ComparedUntil, StatsFilter, inOrder } from "./filters.ts";

/** Revenue is the product of these: requests × fill rate × eCPM. */
export const REVENUE_FACTORS = ["requests", "fillrate", "ecpm"] as const;
export type RevenueFactor = (typeof REVENUE_FACTORS)[number];

/** What movers can be grouped by. An app's own page has no movers by app. */
export const MOVER_GROUPS = ["app", "provider", "country", "format", "zone"] as const;
export type MoverGroup = (typeof MOVER_GROUPS)[number];

export const MOST_MOVERS = 5;

/** The figures of one period. Requests of a provider are those sent to it. */
export const ChangeFigures = z.object({
  requests: z.int(),
  impressions: z.int(),
  fillrate: z.number().nullable(),
  ecpm: Micros.nullable(),
  revenue: Micros,
});
export type ChangeFigures = z.infer<typeof ChangeFigures>;

/**
 * The difference in revenue and its three parts, which add up to it exactly. A part is what the factor's change brought, averaged
 * over all orders in which the three factors can change one after another (Shapley), so that no order is preferred. Parts are
 * rounded toward zero to the micro-dollar; those that lost most by it get the missing micro-dollars. A factor that is unknown in a
 * period (a fill rate without requests) counts as unchanged.
 */
export const RevenueChange = z.object({
  before: ChangeFigures,
  after: ChangeFigures,
  difference: Micros,
  factors: z.object({ requests: Micros, fillrate: Micros, ecpm: Micros }),
  /** The factor with the largest part, up or down; null if the parts are all zero. */
  main: z.enum(REVENUE_FACTORS).nullable(),
});
export type RevenueChange = z.infer<typeof RevenueChange>;

/** A group whose revenue moved. `id` is an app's numeric id, a provider, a country, a format or a zone. */
export const Mover = RevenueChange.extend({
  id: z.string(),
  name: z.string(),
  /** The query parameter of statistics calls and pages that leads to it; zones have none there and lead to their requests. */
  filter: z.object({ key: z.enum(["app_id", "provider", "country", "format", "zone"]), value: z.string() }),
  /** Of an app. */
  uuid: z.uuid().optional(),
});
export type Mover = z.infer<typeof Mover>;

/**
 * What changed between the range and the compared period. The movers are all of one group, so that no money counts twice:
 * the `movers`' differences and `rest` add up to `difference`. Without `by`, the group is the one in which a few keys explain
 * the difference best, that is, moved most apart from the others.
 */
export const Changes = RevenueChange.extend({
  /** The days compared with; the last one ends at `compared_until` unless that is null. */
  compared: z.object({ ds: Day, de: Day }),
  compared_until: ComparedUntil,
  by: z.enum(MOVER_GROUPS),
  /** At most five, the largest difference first, up or down. */
  movers: z.array(Mover),
  /** The difference of all others together. */
  rest: Micros,
});
export type Changes = z.infer<typeof Changes>;

const COMPARE = z.enum(["previous", "weekdays"]).default("previous");

export const AppChangesQuery = inOrder(
  StatsFilter.omit({ app_id: true }).extend({ compare: COMPARE, by: z.enum(MOVER_GROUPS).exclude(["app"]).optional() }),
);
export const PublisherChangesQuery = inOrder(
  StatsFilter.extend({ compare: COMPARE, by: z.enum(MOVER_GROUPS).optional() }),
);
export type ChangesQuery = z.output<typeof AppChangesQuery> | z.output<typeof PublisherChangesQuery>;

export const appChanges = defineCall({
  method: "GET",
  path: "/apps/{id}/changes.json",
  summary: "Explain the change of an app's revenue: by requests, fill rate and eCPM, and what moved most",
  access: "apps.read",
  params: ById,
  query: AppChangesQuery,
  reply: Changes,
});

export const publisherChanges = defineCall({
  method: "GET",
  path: "/apps/performance/changes.json",
  summary: "Explain the change of the revenue of all apps: by requests, fill rate and eCPM, and what moved most",
  access: "publisher.read",
  query: PublisherChangesQuery,
  reply: Changes,
});
