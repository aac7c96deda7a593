import type { View } from "@millrace/contract";
import { eachDay } from "@millrace/units";
import type { TestStores } from "../../../platform/testing/stores.ts";

/** The reference: the definitions applied to the raw rows one by one. */
export interface Asked {
  appIds: readonly number[];
  ds: string;
  de: string;
  /** Rows from this moment on do not count. */
  untilMs?: number | null;
  providers: readonly string[];
  formats: readonly string[];
  countries: readonly string[];
}

export interface Counted {
  requests: number;
  impressions: number;
  clicks: number;
  sessions: number | null;
  uniques: number;
  revenue: number;
}

/** An auction or a valid event. */
interface RawRow {
  kind: "auction" | "impression" | "click" | "session";
  day: string;
  hour: string;
  atMs: number;
  app: number;
  country: string;
  format: string;
  zone: string;
  /** The place of the device among all devices: sets of small numbers are much faster than sets of large ones. */
  device: number;
  /** The providers that were asked, or the one whose ad it is. */
  providers: readonly string[];
  revenue: number;
  /** Why a request got no ad, or empty. */
  noAd: string;
  /** Of a session or an impression. */
  sdk: string;
}
/** The raw rows, by day. */
export type RawRows = ReadonlyMap<string, readonly RawRow[]>;

/**
 * The rows of each hour by column, because reading a million rows one by one takes far longer. A device is a number
 * below 2^52.
 */
const RAW = `
SELECT formatDateTime(toStartOfHour(at, 'UTC') AS moment, '%Y-%m-%dT%H:00:00Z', 'UTC') AS hour,
  groupArray(kind) AS kinds, groupArray(toFloat64(toUnixTimestamp64Milli(at))) AS moments, groupArray(app_id) AS apps, groupArray(toString(country)) AS countries,
  groupArray(toString(format)) AS formats, groupArray(toString(zone)) AS zones,
  groupArray(toFloat64(bitAnd(device, 4503599627370495))) AS devices,
  groupArray(arrayStringConcat(providers, ' ')) AS providerLists, groupArray(toFloat64(revenue_micros)) AS revenues,
  groupArray(toString(no_ad)) AS noAds, groupArray(toString(sdk_version)) AS sdks
FROM (
  SELECT 'auction' AS kind, at, app_id, country, format, zone, device, asked AS providers, toInt64(0) AS revenue_micros, no_ad, '' AS sdk_version
  FROM auctions
  UNION ALL
  SELECT toString(kind), at, app_id, country, format, zone, device, [provider], revenue_micros, '' AS no_ad, sdk_version
  FROM events
  WHERE invalid = '' AND kind IN ('impression', 'click', 'session')
)
GROUP BY moment`;

interface HourOfRows {
  hour: string;
  kinds: RawRow["kind"][];
  moments: number[];
  apps: number[];
  countries: string[];
  formats: string[];
  zones: string[];
  devices: number[];
  providerLists: string[];
  revenues: number[];
  noAds: string[];
  sdks: string[];
}

/** Reads all valid rows of the raw tables. */
export async function rawRows({ clickhouse }: TestStores): Promise<RawRows> {
  const result = await clickhouse.read.query({ query: RAW, format: "JSONEachRow" });
  const lists = new Map<string, readonly string[]>([["", []]]);
  const listOf = (text: string): readonly string[] => {
    const list = lists.get(text) ?? text.split(" ");
    lists.set(text, list);
    return list;
  };
  const places = new Map<number, number>();
  const placeOf = (device: number): number => {
    const place = places.get(device) ?? places.size;
    if (place === places.size) places.set(device, place);
    return place;
  };
  const byDay = new Map<string, RawRow[]>();
  for (const of of await result.json<HourOfRows>()) {
    const { hour } = of;
    const day = hour.slice(0, 10);
    const ofDay = byDay.get(day) ?? [];
    byDay.set(day, ofDay);
    for (const [nth, kind] of of.kinds.entries()) {
      ofDay.push({
        kind,
        day,
        hour,
        atMs: of.moments[nth] as number,
        app: of.apps[nth] as number,
        country: of.countries[nth] as string,
        format: of.formats[nth] as string,
        zone: of.zones[nth] as string,
        device: placeOf(of.devices[nth] as number),
        providers: listOf(of.providerLists[nth] as string),
        revenue: of.revenues[nth] as number,
        noAd: of.noAds[nth] as string,
        sdk: of.sdks[nth] as string,
      });
    }
  }
  return byDay;
}

const shownBy = new WeakMap<RawRows, ReadonlySet<string>>();

/** The SDK versions that have shown an ad in an app, as `app version`: read once, because there may be a million rows. */
function shownVersions(rows: RawRows): ReadonlySet<string> {
  const known = shownBy.get(rows);
  if (known) return known;
  const shown = new Set<string>();
  for (const ofDay of rows.values())
    for (const { kind, app, sdk } of ofDay) if (kind === "impression") shown.add(`${app} ${sdk}`);
  shownBy.set(rows, shown);
  return shown;
}

/** The rows of the asked days, apps, countries and formats: selected once for all the groups of a question. */
export function askedRows(rows: RawRows, { appIds, countries, formats, untilMs = null, ...dates }: Asked): RawRow[] {
  const selected: RawRow[] = [];
  for (const day of eachDay(dates)) {
    for (const row of rows.get(day) ?? []) {
      if (
        appIds.includes(row.app) &&
        isAmong(countries, row.country) &&
        (row.kind === "session" || isAmong(formats, row.format)) &&
        (untilMs === null || row.atMs < untilMs)
      )
        selected.push(row);
    }
  }
  return selected;
}

const isAmong = (chosen: readonly string[], value: string) => chosen.length === 0 || chosen.includes(value);

/** Sessions by SDK version, for versions that have shown an ad in the app, or requests without an ad by reason. */
export function countLabels(all: RawRows, rows: readonly RawRow[], label: "sdk" | "noAd"): Map<string, number> {
  const shown = shownVersions(all);
  const isCounted = ({ kind, app, sdk, noAd }: RawRow) =>
    label === "sdk" ? kind === "session" && shown.has(`${app} ${sdk}`) : kind === "auction" && noAd !== "";
  const counts = new Map<string, number>();
  for (const row of rows) if (isCounted(row)) counts.set(row[label], (counts.get(row[label]) ?? 0) + 1);
  return counts;
}

type Key = (row: RawRow) => string;
const KEYS = {
  date: ({ day }) => day,
  country: ({ country }) => country,
  format: ({ format }) => format,
  zone: ({ zone }) => zone,
  app: ({ app }) => String(app),
  hour: ({ hour }) => hour,
  all: () => "all",
} as const satisfies Record<Exclude<View, "provider"> | "app" | "hour" | "all", Key>;
export type By = keyof typeof KEYS | "provider";

/** Groups `askedRows` by the view's key; a group exists once any row falls into it. */
export function countByHand(
  rows: readonly RawRow[],
  asked: Pick<Asked, "providers" | "formats">,
  by: By,
): Map<string, Counted> {
  const groups = new Map<string, Counted & { devices: Set<number> }>();
  const sessionsExist = asked.providers.length === 0 && asked.formats.length === 0;
  const sessionsHere = sessionsExist && by !== "format" && by !== "zone" && by !== "provider";
  // Filtered by provider, requests are those sent to it, and devices are those that saw its ad.
  const ofProviders = by === "provider" || asked.providers.length > 0;
  const groupOf = (row: RawRow, provider: string) => {
    const key = by === "provider" ? provider : KEYS[by](row);
    let found = groups.get(key);
    if (!found) {
      const none = { requests: 0, impressions: 0, clicks: 0, uniques: 0, revenue: 0 };
      found = { ...none, sessions: sessionsHere ? 0 : null, devices: new Set() };
      groups.set(key, found);
    }
    return found;
  };
  for (const row of rows) {
    if (row.kind === "session") {
      if (!sessionsHere) continue;
      const group = groupOf(row, "");
      group.sessions = (group.sessions ?? 0) + 1;
      group.devices.add(row.device);
      continue;
    }
    if (row.kind === "auction" && !ofProviders) {
      const group = groupOf(row, "");
      group.requests += 1;
      group.devices.add(row.device);
      continue;
    }
    for (const provider of row.providers) {
      if (!isAmong(asked.providers, provider)) continue;
      const group = groupOf(row, provider);
      group.revenue += row.revenue;
      if (row.kind === "auction") group.requests += 1;
      else if (row.kind === "click") group.clicks += 1;
      else {
        group.impressions += 1;
        if (ofProviders) group.devices.add(row.device);
      }
    }
  }
  return new Map([...groups].map(([key, { devices, ...counted }]) => [key, { ...counted, uniques: devices.size }]));
}
