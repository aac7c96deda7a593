import { type DayRange, HOUR_MS, addDays, dayStartMs } from "@millrace/units";
import { z } from "zod";

/** Apps, days and filters of a question; an empty filter matches everything. */
export interface Scope {
  appIds: readonly number[];
  range: DayRange;
  /** The moment of the last day at which the numbers end, in epoch milliseconds and a full minute; the day's end without it. */
  untilMs?: number | null;
  providers: readonly string[];
  formats: readonly string[];
  countries: readonly string[];
}

/** The parameters of every statistics query. */
export const ScopeParams = z.object({
  appIds: z.array(z.int()),
  ds: z.iso.date(),
  de: z.iso.date(),
  providers: z.array(z.string()),
  formats: z.array(z.string()),
  countries: z.array(z.string()),
});
export type ScopeParams = z.output<typeof ScopeParams>;

/** The parameters of queries about a part of the last day: moments in Unix seconds. `ds` and `de` are the whole days before it. */
export const PartDayParams = ScopeParams.extend({
  from: z.int(),
  /** The end of the last full hour. */
  fullHours: z.int(),
  until: z.int(),
});
export type PartDayParams = z.output<typeof PartDayParams>;

/** Whether the last day of the scope is only counted in part. */
export const isCut = <S extends Pick<Scope, "untilMs">>(scope: S): scope is S & { untilMs: number } =>
  typeof scope.untilMs === "number";

/** A value that is named twice is bound once. The days of a scope that is cut are the whole ones. */
export function bindScope(scope: Scope): ScopeParams {
  return {
    appIds: [...scope.appIds],
    ds: scope.range.ds,
    de: isCut(scope) ? addDays(scope.range.de, -1) : scope.range.de,
    providers: [...new Set(scope.providers)],
    formats: [...new Set(scope.formats)],
    countries: [...new Set(scope.countries)],
    ...(isCut(scope) ? partOfDay(scope) : {}),
  };
}

/** The part of the last day that counts, or what of it is after another moment. */
export function partOfDay(
  { range, untilMs }: Pick<Scope, "range"> & { untilMs: number },
  fromMs = dayStartMs(range.de),
) {
  return {
    from: fromMs / 1000,
    fullHours: (Math.floor(untilMs / HOUR_MS) * HOUR_MS) / 1000,
    until: untilMs / 1000,
  };
}

/** Conditions of SQL. Each names columns and parameters alone. */
export const OF_APPS = "app_id IN {appIds:Array(UInt32)}";
export const OF_DAYS = "day BETWEEN {ds:Date} AND {de:Date}";
/** Of devices_by_span: `days` has a bit for each of a span's 128 days; the first and the last span of the range may be parts. */
const ALL_BITS = "bitNot(toUInt128(0))";
const spanOf = (day: string) => `intDiv(toUInt16({${day}:Date}), 128)`;
export const OF_SPANS = `span BETWEEN ${spanOf("ds")} AND ${spanOf("de")} AND bitAnd(days, bitAnd(
    if(span = ${spanOf("ds")}, bitShiftLeft(${ALL_BITS}, toUInt16({ds:Date}) % 128), ${ALL_BITS}),
    if(span = ${spanOf("de")}, bitShiftRight(${ALL_BITS}, toUInt8(127 - toUInt16({de:Date}) % 128)), ${ALL_BITS}))) != 0`;
export const OF_HOURS = "hour >= toDateTime({ds:Date}, 'UTC') AND hour < toDateTime({de:Date}, 'UTC') + INTERVAL 1 DAY";
export const OF_MOMENTS =
  "at >= toDateTime64({ds:Date}, 3, 'UTC') AND at < toDateTime64({de:Date}, 3, 'UTC') + INTERVAL 1 DAY";
/** Of the part of the last day: rows of full hours, and the moments of raw rows after those, or of all. */
export const OF_FULL_HOURS =
  "hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({fullHours:UInt32}, 'UTC')";
export const AFTER_FULL_HOURS =
  "at >= toDateTime64({fullHours:UInt32}, 3, 'UTC') AND at < toDateTime64({until:UInt32}, 3, 'UTC')";
export const OF_PART_DAY =
  "at >= toDateTime64({from:UInt32}, 3, 'UTC') AND at < toDateTime64({until:UInt32}, 3, 'UTC')";
export const OF_PROVIDERS = "(empty({providers:Array(String)}) OR provider IN {providers:Array(String)})";
export const OF_FORMATS = "(empty({formats:Array(String)}) OR format IN {formats:Array(String)})";
export const OF_COUNTRIES = "(empty({countries:Array(String)}) OR country IN {countries:Array(String)})";

/**
 * The query without the conditions of filters that are not set. A condition costs its analysis, which is most of a short
 * query, and is evaluated for every row.
 */
export function withSetFilters(sql: string, params: Record<string, unknown>): string {
  const isSet = (values: unknown) => !Array.isArray(values) || values.length > 0;
  return [
    [OF_PROVIDERS, params["providers"]] as const,
    [OF_FORMATS, params["formats"]] as const,
    [OF_COUNTRIES, params["countries"]] as const,
  ].reduce((text, [condition, values]) => (isSet(values) ? text : text.replaceAll(` AND ${condition}`, "")), sql);
}

/** Sessions and their SDK versions have no provider or format, so with such a filter there are none. */
export const hasSessions = (scope: Pick<Scope, "providers" | "formats">): boolean =>
  scope.providers.length === 0 && scope.formats.length === 0;
