import { expect, test } from "vitest";
import { seededRandom } from "../random.ts";
import { contractExchange } from "../testing/contract-exchange.ts";
import type { DemoDevice } from "./draw-device.ts";
import { sdkClient } from "./sdk-client.ts";
import { type AdapterStep, DEMO_ADAPTER, tryAdapter } from "./try-adapter.ts";

const address = (kind: string) => `http://ads.example.com/beacon/${kind}?t=${kind}-token`;
const STEP: AdapterStep = {
  type: "adapter",
  provider: "line-items",
  item: "00000000-0000-4000-8000-0000000000aa",
  adapter: DEMO_ADAPTER.name,
  params: {},
  expected_micros: 6_000_000,
  beacons: {
    impression: address("impression"),
    click: address("click"),
    loss: address("loss"),
    player: address("player"),
  },
};

test("an adapter shows an ad about as often as it fills, and tells what it paid or that it showed nothing", async () => {
  const exchange = await contractExchange(30);
  const client = sdkClient(exchange.url, "key");
  const device = { userAgent: "test", address: "203.0.113.7" } as DemoDevice;
  const random = seededRandom("adapter");
  let shown = 0;
  try {
    for (let nth = 0; nth < 60; nth++) if (await tryAdapter({ client, device, random }, STEP)) shown++;
  } finally {
    client.close();
    await exchange.stop();
  }
  expect(exchange.faults).toEqual([]);
  const events = exchange.received.flatMap(({ body }) => (body as { events: Record<string, unknown>[] }).events);
  const impressions = events.filter(({ type }) => type === "impression");
  expect(events).toHaveLength(60);
  expect(impressions).toHaveLength(shown);
  expect(shown).toBeGreaterThan(20);
  expect(shown).toBeLessThan(46);
  for (const { token, paid_micros: paid } of impressions) {
    expect(token).toBe("impression-token");
    expect(Number(paid)).toBeGreaterThanOrEqual(DEMO_ADAPTER.lowestMicros);
    expect(Number(paid)).toBeLessThanOrEqual(DEMO_ADAPTER.highestMicros);
  }
  for (const event of events.filter(({ type }) => type === "step")) {
    expect(event).toEqual({ type: "step", token: "player-token", outcome: "no_fill" });
  }
});
