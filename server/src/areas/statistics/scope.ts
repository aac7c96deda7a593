import type { DayRange } from "@millrace/units";
import { z } from "zod";

/** Apps, days and filters of a question; an empty filter matches everything. */
export interface Scope {
  appIds: readonly number[];
  range: DayRange;
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

/** A value that is named twice is bound once. */
export const bindScope = (scope: Scope): ScopeParams => ({
  appIds: [...scope.appIds],
  ds: scope.range.ds,
  de: scope.range.de,
  providers: [...new Set(scope.providers)],
  formats: [...new Set(scope.formats)],
  countries: [...new Set(scope.countries)],
});

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
export const hasSessions = (scope: Scope): boolean => scope.providers.length === 0 && scope.formats.length === 0;
