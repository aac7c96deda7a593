import type { View } from "@millrace/contract";
import type { AuctionRow, EventRow } from "../../statistics/index.ts";

/** The reference: what the definitions say, counted row by row over the raw rows. */
export interface Asked {
  appIds: readonly number[];
  ds: string;
  de: string;
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

export interface RawRows {
  auctions: AuctionRow[];
  events: EventRow[];
}

type Key = (row: { at: string; app_id: number; country: string; format: string; zone: string }) => string;

const moment = (at: string) => new Date(Number(at) * 1000).toISOString();
const KEYS = {
  date: ({ at }) => moment(at).slice(0, 10),
  country: ({ country }) => country,
  format: ({ format }) => format,
  zone: ({ zone }) => zone,
  app: ({ app_id: id }) => String(id),
  hour: ({ at }) => `${moment(at).slice(0, 13)}:00:00Z`,
  all: () => "all",
} as const satisfies Record<Exclude<View, "provider"> | "app" | "hour" | "all", Key>;

/** Groups by the view's key; a group exists once any row falls into it. */
export function countByHand(rows: RawRows, asked: Asked, by: keyof typeof KEYS | "provider"): Map<string, Counted> {
  const groups = new Map<string, Counted & { devices: Set<string> }>();
  const sessionsExist = asked.providers.length === 0 && asked.formats.length === 0;
  const sessionsHere = sessionsExist && by !== "format" && by !== "zone" && by !== "provider";
  const group = (key: string) => {
    const found = groups.get(key) ?? {
      requests: 0,
      impressions: 0,
      clicks: 0,
      sessions: sessionsHere ? 0 : null,
      uniques: 0,
      revenue: 0,
      devices: new Set(),
    };
    groups.set(key, found);
    return found;
  };
  const keyOf = (row: Parameters<Key>[0] & { provider?: string }): string =>
    by === "provider" ? (row.provider ?? "") : KEYS[by](row);
  const among = (chosen: readonly string[], value: string) => chosen.length === 0 || chosen.includes(value);
  const inScope = (row: { at: string; app_id: number; country: string }) => {
    const day = moment(row.at).slice(0, 10);
    return (
      asked.appIds.includes(row.app_id) && day >= asked.ds && day <= asked.de && among(asked.countries, row.country)
    );
  };

  for (const row of rows.auctions) {
    if (!inScope(row) || !among(asked.formats, row.format)) continue;
    if (by === "provider" || asked.providers.length > 0) {
      for (const provider of row.asked)
        if (among(asked.providers, provider)) group(keyOf({ ...row, provider })).requests += 1;
    } else {
      const counted = group(keyOf(row));
      counted.requests += 1;
      counted.devices.add(row.device);
    }
  }
  for (const row of rows.events) {
    if (!inScope(row) || row.invalid !== "") continue;
    if (row.kind === "session") {
      if (!sessionsHere) continue;
      const counted = group(keyOf(row));
      counted.sessions = (counted.sessions ?? 0) + 1;
      counted.devices.add(row.device);
    }
    if (row.kind !== "impression" && row.kind !== "click") continue;
    if (!among(asked.formats, row.format) || !among(asked.providers, row.provider)) continue;
    const counted = group(keyOf(row));
    counted.revenue += row.revenue_micros;
    if (row.kind === "click") counted.clicks += 1;
    else {
      counted.impressions += 1;
      // Through a provider, a device is one that saw its ad.
      if (by === "provider" || asked.providers.length > 0) counted.devices.add(row.device);
    }
  }
  return new Map([...groups].map(([key, { devices, ...counted }]) => [key, { ...counted, uniques: devices.size }]));
}
