import { DELIVERY_HEADERS, type RevenueDelivery } from "@millrace/contract";
import { randomUUID } from "node:crypto";
import { reportedRevenue } from "../apps/index.ts";
import { type RewardKey, signatureOf } from "../rewards/index.ts";
import type { FoundImpression } from "../statistics/index.ts";
import type { OpenDelivery } from "./webhook-store.ts";

type Impression = RevenueDelivery["impressions"][number];

const CURRENCY = "USD";
const NO_AUCTION = "00000000-0000-0000-0000-000000000000";

/** A delivery as it is posted: the same bytes for the same impressions, however often they are sent. */
export function deliveryOf(
  app: string,
  { id, madeAt }: Pick<OpenDelivery, "id" | "madeAt">,
  impressions: readonly FoundImpression[],
): RevenueDelivery {
  return {
    delivery_id: id,
    created_at: madeAt.toISOString(),
    app,
    test: false,
    impressions: impressions.map(reportedImpression),
  };
}

function reportedImpression(impression: FoundImpression): Impression {
  const { atMs, eventId, auction, zone, format, country, provider } = impression;
  const { priceMicros, precision } = reportedRevenue(impression);
  const time = new Date(atMs).toISOString();
  const place = { zone, format, country, network: provider };
  return { event_id: eventId, auction, time, ...place, precision, revenue_micros: priceMicros, currency: CURRENCY };
}

/** A delivery that says it is a test. Its impression earns nothing, so that it does no harm in books. */
export function testDelivery(app: string, nowMs: number): RevenueDelivery {
  const now = new Date(nowMs).toISOString();
  const names = { zone: "test", format: "banner", country: "XX", network: "test" };
  return {
    delivery_id: randomUUID(),
    created_at: now,
    app,
    test: true,
    impressions: [
      {
        event_id: `test-${randomUUID()}`,
        auction: NO_AUCTION,
        time: now,
        ...names,
        precision: "exact",
        revenue_micros: 0,
        currency: CURRENCY,
      },
    ],
  };
}

/** The body and its signed headers. */
export function signedPost(
  key: RewardKey,
  delivery: RevenueDelivery,
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(delivery);
  return {
    body,
    headers: {
      "content-type": "application/json",
      [DELIVERY_HEADERS.id]: delivery.delivery_id,
      [DELIVERY_HEADERS.keyId]: String(key.keyId),
      [DELIVERY_HEADERS.signature]: signatureOf(key, body),
    },
  };
}
