import { createHash } from "node:crypto";
import type { appImpressions, Query } from "@millrace/contract";
import { DAY_MS, dayOf, dayStartMs, decimalDollars, impressionMicros } from "@millrace/units";
import type { AppReach } from "../../platform/http/caller.ts";
import type { FoundImpression } from "../statistics/index.ts";
import type { AppsDeps } from "./deps.ts";
import { type App, ownApp } from "./store.ts";
import { csvOf } from "./table-files/table-csv.ts";

const HEADS = ["time", "app", "zone", "country", "format", "network", "price", "precision", "auction", "device"];
/** A zone is a device's own text. */
const TEXTS = [HEADS.indexOf("zone")];

/**
 * A page of an app's counted impressions of a day as CSV, and the place of the next page; null for the last. Problem
 * `not_found` for another account's or an unknown app.
 */
export async function impressionsCsv(
  { pool, statistics }: Pick<AppsDeps, "pool" | "statistics">,
  reach: AppReach,
  uuid: string,
  { day, after, rows }: Query<typeof appImpressions>,
): Promise<{ name: string; content: string; next: string | null }> {
  const app = await ownApp(pool, reach, uuid);
  const fromMs = dayStartMs(day);
  const [afterMs = "0", afterId = ""] = after?.split("~") ?? [];
  const found = await statistics.impressions({
    appId: app.id,
    // A later page begins where the one before ended, so that the store need not read the day from its start.
    fromMs: Math.max(fromMs, Number(afterMs)),
    toMs: fromMs + DAY_MS,
    afterMs: Number(afterMs),
    afterId,
    // One more shows whether there is another page.
    rows: rows + 1,
  });
  const page = found.slice(0, rows);
  const last = page.at(-1);
  return {
    name: `impressions-${app.bundleId}-${day}.csv`.replace(/[^\w.-]/g, "_"),
    content: await csvOf(HEADS, page, (impression) => rowOf(impression, app), TEXTS),
    next: found.length > rows && last ? `${last.atMs}~${last.eventId}` : null,
  };
}

function rowOf(impression: FoundImpression, { id, uuid }: App): string[] {
  const { atMs, zone, country, format, provider, auction } = impression;
  const { priceMicros, precision } = reportedRevenue(impression);
  const device = reportedDevice(impression, id);
  const place = [zone, country, format, provider];
  return [new Date(atMs).toISOString(), uuid, ...place, decimalDollars(priceMicros), precision, auction, device];
}

/** What a publisher is told of one impression's money. */
interface ReportedRevenue {
  priceMicros: number;
  precision: "exact" | "estimated";
}

/** A line item's price is no revenue of the platform: it is what its seller's SDK told, or else what is expected, as an estimate. */
export function reportedRevenue({ revenue, expected, paid }: FoundImpression): ReportedRevenue {
  const cpm = paid ?? (expected > 0n ? expected : null);
  return cpm === null
    ? { priceMicros: Number(revenue), precision: "exact" }
    : { priceMicros: impressionMicros(Number(cpm)), precision: "estimated" };
}

/**
 * Identifies one device in the rows of one app and day, and nowhere else. It is derived from the device's hash, which is keyed
 * with the platform's secret and never leaves the platform; so nobody else can compute it or link it over days or apps.
 */
function reportedDevice({ atMs, device }: FoundImpression, appId: number): string {
  const named = `millrace device ${device} of ${appId} on ${dayOf(atMs)}`;
  return createHash("sha256").update(named).digest("hex").slice(0, 16);
}
