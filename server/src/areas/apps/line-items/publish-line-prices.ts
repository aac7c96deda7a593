import { LINE_PROVIDER, type LinePrice } from "@millrace/contract";
import { fitPriceFactors, type PriceEvidence, type PriceFactors, PRICE_HALF_LIFE_MS } from "@millrace/learning";
import { HOUR_MS } from "@millrace/units";
import type { Pool } from "pg";
import { grouped } from "../../../platform/grouped.ts";
import type { PriceEvidenceRow } from "../../statistics/index.ts";
import type { AppsDeps } from "../deps.ts";
import { publishTable } from "../mediation/publish-table.ts";

/** The name under which the beliefs about line items' prices are published, by their ids as participants. */
export const LINE_PRICE_TABLE = "line_prices";

export const evidenceParams = (appId: number, nowMs: number) => ({
  appId,
  now: Math.floor(nowMs / 1000),
  halfLifeHours: PRICE_HALF_LIFE_MS / HOUR_MS,
});

/**
 * Learns how much of their stated prices line items pay, from what their sellers' SDKs reported about impressions, and publishes
 * it as a whole. Line items without reports are left out: they are expected to pay the stated price.
 */
export async function publishLinePrices({ pool, statistics, clock }: Pick<AppsDeps, "pool" | "statistics" | "clock">) {
  const now = clock.now();
  const rows = await statistics.lineItems.priceEvidence(evidenceParams(0, now));
  const byItem = grouped(rows, ({ lineItemId }) => lineItemId);
  const stated = await statedPrices(pool, [...byItem.keys()]);
  const content: Record<string, PriceFactors> = {};
  for (const [id, prices] of stated) {
    content[`${LINE_PROVIDER.id}-${id}`] = rounded(fitLineItem(prices, byItem.get(id) ?? []));
  }
  await publishTable(pool, LINE_PRICE_TABLE, content, new Date(now));
}

async function statedPrices(pool: Pool, ids: readonly number[]): Promise<Map<number, LinePrice[]>> {
  const { rows } = await pool.query<{ id: number; prices: LinePrice[] }>(
    "SELECT id, prices FROM line_items WHERE id = ANY($1) ORDER BY id",
    [ids],
  );
  return new Map(rows.map(({ id, prices }) => [id, prices]));
}

/** The beliefs about one line item. What impressions paid is held against the prices that are stated now. */
export function fitLineItem(prices: readonly LinePrice[], rows: readonly PriceEvidenceRow[]): PriceFactors {
  return fitPriceFactors(
    rows.flatMap(({ format, country, platform, seen, total, totalSquares }): PriceEvidence[] => {
      const price = statedIn(prices, country);
      if (price === null) return [];
      return [
        { format, country, platform, factors: { count: seen, sum: total / price, squares: totalSquares / price ** 2 } },
      ];
    }),
  );
}

/** The price that is stated for a country; null without one. */
export function statedIn(prices: readonly LinePrice[], code: string): number | null {
  const found = prices.find(({ country }) => country === code) ?? prices.find(({ country }) => country === null);
  return found?.price ?? null;
}

/** To so many digits that a version changes with what is learned, and not with the minute. */
const rounded = (factors: PriceFactors): PriceFactors =>
  Object.fromEntries(
    Object.entries(factors).map(([group, { mean, sd }]) => [
      group,
      { mean: Math.round(mean * 1e4) / 1e4, sd: Math.max(1e-4, Math.round(sd * 1e4) / 1e4) },
    ]),
  );
