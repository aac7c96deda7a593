import { z } from "zod";
import { ALL, EARLIEST_DATE, FORMATS } from "./constants.ts";
import { Day, repeated } from "./fields.ts";

const utcToday = () => new Date().toISOString().slice(0, 10);
const utcYesterday = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

/** A UTC day that statistics can have. */
export const StatsDay = Day.refine((day) => day >= EARLIEST_DATE, `Must not be before ${EARLIEST_DATE}`).refine(
  (day) => day <= utcToday(),
  "Must not be after today",
);

/** `'0'` among the values, or no value at all, matches everything. */
const filterOf = <S extends z.ZodType>(item: S) => repeated(z.union([z.literal(ALL), item]));

/** The dates (UTC days, both included; yesterday and today by default) and filters of every statistics call. */
export const StatsFilter = z.strictObject({
  ds: StatsDay.default(utcYesterday).describe("the first day; yesterday by default"),
  de: StatsDay.default(utcToday).describe("the last day; today by default"),
  provider: filterOf(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)),
  format: filterOf(z.enum(FORMATS)),
  country: filterOf(z.string().regex(/^[A-Z]{2}$/)),
  app_id: filterOf(z.string().regex(/^[1-9]\d{0,9}$/)),
});
export type StatsFilter = z.output<typeof StatsFilter>;

/**
 * What a range is compared with: the same number of days before it, the same weekdays before it (the range shifted by whole
 * weeks, at least by its own length), or nothing.
 */
export const COMPARISONS = ["previous", "weekdays", "none"] as const;
export type ComparisonKind = (typeof COMPARISONS)[number];

/**
 * The query parameter of calls that compare. Replies carry the compared period's figures as `last_…` (null with `none`).
 * A range that includes today is compared up to the same time of day: replies say so as `compared_until`.
 */
export const CompareWith = { compare: z.enum(COMPARISONS).default("previous") };

/**
 * The moment at which the compared period's figures end: a range that includes today is compared with as much of the compared
 * period as has passed of the range, to the last full minute. (Where the raw events of that day have been deleted, to the
 * last full hour.) Null if the range is over, which is compared with whole days, and with `compare=none`.
 */
export const ComparedUntil = z.iso.datetime().nullable();

/** The values of a filter, or `null` if it matches everything. */
export function narrowed<T extends string>(values: readonly T[]): Exclude<T, typeof ALL>[] | null {
  const chosen = values.filter((value): value is Exclude<T, typeof ALL> => value !== ALL);
  return chosen.length === 0 || chosen.length < values.length ? null : chosen;
}

/** Refuses a range that ends before it starts. (Pages swap such dates.) */
export const inOrder = <S extends z.ZodType<{ ds: string; de: string }>>(schema: S) =>
  schema.refine(({ ds, de }) => ds <= de, { path: ["de"], message: "Must not be before ds" });
