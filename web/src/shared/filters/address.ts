import {
  ALL,
  APP_ORDERS,
  COMPARISONS,
  EARLIEST_DATE,
  FORMATS,
  type Format,
  TABLE_ORDERS,
  VIEWS,
} from "@millrace/contract";
import { type ComparisonKind, addDays, dayOf, dayStartMs } from "@millrace/units";
import { searchOf } from "../call-api.ts";

/** A parsed query string; repeated keys become lists. */
export type Search = Record<string, unknown>;

/** Parses a query string with repeated keys, as the calls use them. */
export function parseSearch(text: string): Search {
  const search: Record<string, string | string[]> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const before = search[key];
    search[key] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return search;
}

/** Builds a query string; keys without a value are left out. */
export function stringifySearch(search: Search): string {
  const text = searchOf(search);
  return text === "" ? "" : `?${text}`;
}

/** Dates (UTC days, inclusive) and filters, as in the address. An empty list filters nothing. */
export interface Filter {
  ds: string;
  de: string;
  provider: string[];
  format: Format[];
  country: string[];
}

/** The same with what the days are compared with. */
export interface ComparedFilter extends Filter {
  compare: ComparisonKind;
}

/** The days, filters and comparison of a page for a link or a call; without the comparison if it is the usual one. */
export const carriedOf = ({ ds, de, provider, format, country, compare }: ComparedFilter) => ({
  ds,
  de,
  provider,
  format,
  country,
  ...(compare === "previous" ? {} : { compare }),
});

const readCompared = (search: Search, nowMs?: number): ComparedFilter => ({
  ...readFilter(search, nowMs),
  compare: oneOf(COMPARISONS, search["compare"], "previous"),
});

/** The filters of a page from its address; invalid values are dropped, dates are corrected. */
export function readFilter(search: Search, nowMs = Date.now()): Filter {
  return {
    ...readDates(search["ds"], search["de"], dayOf(nowMs)),
    provider: validValues(search["provider"], (value) => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(value)),
    format: validValues(search["format"], isFormat),
    country: validValues(search["country"], (value) => /^[A-Z]{2}$/.test(value)),
  };
}

/** Yesterday to today by default; never outside of the limits, and never reversed. */
function readDates(ds: unknown, de: unknown, today: string): { ds: string; de: string } {
  const to = inReach(de, today) ?? today;
  const from = inReach(ds, today) ?? inReach(addDays(to, -1), today) ?? to;
  return from <= to ? { ds: from, de: to } : { ds: to, de: from };
}

function inReach(day: unknown, today: string): string | null {
  if (typeof day !== "string" || !isDay(day)) return null;
  return day < EARLIEST_DATE ? EARLIEST_DATE : day > today ? today : day;
}

function isDay(day: string): boolean {
  try {
    dayStartMs(day);
    return true;
  } catch {
    return false;
  }
}

export const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === "string" && item !== "");

/** The valid values without duplicates; a `'0'` means all. */
export function validValues<T extends string>(value: unknown, valid: (item: string) => item is T): T[];
export function validValues(value: unknown, valid: (item: string) => boolean): string[];
export function validValues(value: unknown, valid: (item: string) => boolean): string[] {
  const items = listOf(value);
  return items.includes(ALL) ? [] : [...new Set(items.filter(valid))];
}

const isFormat = (value: string): value is Format => (FORMATS as readonly string[]).includes(value);

/** The value if the set includes it, otherwise the fallback. */
export function oneOf<T extends string>(set: readonly T[], value: unknown, fallback: T): T {
  return set.find((item) => item === value) ?? fallback;
}

const DIRECTIONS = ["asc", "desc"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The app list's address. `p` counts pages from 0, as the call does. */
export interface ListAddress extends ComparedFilter {
  search: string;
  app_id: string[];
  order: (typeof APP_ORDERS)[number];
  order_type: Direction;
  p: number;
}

const readAppIds = (search: Search): string[] => validValues(search["app_id"], (value) => /^[1-9]\d{0,9}$/.test(value));

const MAX_SEARCH = 100;
const MAX_PAGE = 100_000;

/** A list's search text, and its page counted from 0. */
export function readSearched({ search, p }: Search): { search: string; p: number } {
  const page = Number(p ?? 0);
  return {
    search: typeof search === "string" ? search.slice(0, MAX_SEARCH) : "",
    p: Number.isInteger(page) && page > 0 && page <= MAX_PAGE ? page : 0,
  };
}

/** The list shows the best earners first. */
const LIST_ORDER = { order: "revenue", order_type: "desc" } as const;

export function readListAddress(search: Search, nowMs = Date.now()): ListAddress {
  return {
    ...readCompared(search, nowMs),
    ...readSearched(search),
    app_id: readAppIds(search),
    order: oneOf(APP_ORDERS, search["order"], LIST_ORDER.order),
    order_type: oneOf(DIRECTIONS, search["order_type"], LIST_ORDER.order_type),
  };
}

/** The metrics that the chart of a statistics page can show. */
export const CHART_METRICS = [
  "revenue",
  "ecpm",
  "impressions",
  "requests",
  "fillrate",
  "clicks",
  "ctr",
  "uniques",
  "sessions",
] as const;
export type ChartMetric = (typeof CHART_METRICS)[number];

/** A statistics page's address: the table's view and order, and the metric of the chart. */
export interface StatsAddress extends ComparedFilter {
  view: (typeof VIEWS)[number];
  order: (typeof TABLE_ORDERS)[number];
  order_type: Direction;
  metric: ChartMetric;
}

type TableOrdering = Pick<StatsAddress, "order" | "order_type">;

/** A table's order until another is chosen: days from the newest, and everything else by revenue. */
export const tableOrder = (view: StatsAddress["view"]): TableOrdering => ({
  order: view === "date" ? "name" : "revenue",
  order_type: "desc",
});

export function readStatsAddress(search: Search, nowMs = Date.now()): StatsAddress {
  const view = oneOf(VIEWS, search["view"], "date");
  const first = tableOrder(view);
  return {
    ...readCompared(search, nowMs),
    view,
    order: oneOf(TABLE_ORDERS, search["order"], first.order),
    order_type: oneOf(DIRECTIONS, search["order_type"], first.order_type),
    metric: oneOf(CHART_METRICS, search["metric"], "revenue"),
  };
}

/** The same for all apps, or for the chosen ones. */
export interface PublisherAddress extends StatsAddress {
  app_id: string[];
}

export const readPublisherAddress = (search: Search, nowMs = Date.now()): PublisherAddress => ({
  ...readStatsAddress(search, nowMs),
  app_id: readAppIds(search),
});

type AnyAddress = Partial<Omit<ListAddress, "order"> & Omit<StatsAddress, "order"> & { order: string }>;

/** The query for the address: always the dates, so that a link shows the same days tomorrow; the rest only if set. */
export function writeAddress(address: ListAddress | StatsAddress | PublisherAddress): Search {
  const { search, p, order, order_type, view, metric, compare, ...filter }: AnyAddress = address;
  const first = view === undefined ? LIST_ORDER : tableOrder(view);
  return {
    ...filter,
    compare: compare === "previous" ? undefined : compare,
    search: search === "" ? undefined : search,
    view: view === "date" ? undefined : view,
    metric: metric === "revenue" ? undefined : metric,
    order: order === first.order ? undefined : order,
    order_type: order_type === first.order_type ? undefined : order_type,
    p: p === 0 ? undefined : p,
  };
}
