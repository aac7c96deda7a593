import { afterAll, beforeAll, expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { somePartner } from "../../../testing/some-partner.ts";
import { upsertPartner } from "../../demand-partners/index.ts";
import { auction, keep } from "../../statistics/testing/some-rows.ts";
import { appsServer } from "../testing/apps-server.ts";
import { publishSkips, SKIP_TABLE } from "./publish-skips.ts";

// The store drops old evidence by its own clock.
const NOW = Date.now();
const stores = await testStores();
let at: Awaited<ReturnType<typeof appsServer>>;
beforeAll(async () => {
  at = await appsServer(stores, { now: () => NOW });
  for (const id of ["often", "never"]) await upsertPartner(stores.pg.pool, somePartner({ id }));
});
afterAll(() => at.stop());

async function published() {
  await publishSkips({ pool: stores.pg.pool, statistics: at.statistics, clock: { now: () => NOW } });
  const { rows } = await stores.pg.pool.query<{ version: string; content: unknown }>(
    "SELECT version, content FROM learned_tables WHERE name = $1",
    [SKIP_TABLE],
  );
  return rows[0];
}

/** Requests to both partners in a country, on which `often` bids once in two. */
const requests = (country: string, count: number, more: Parameters<typeof auction>[1] = {}) =>
  Array.from({ length: count }, (_, nth) =>
    auction(new Date(NOW).toISOString(), {
      country,
      asked: ["often", "never"],
      outcomes: [nth % 2 === 0 ? "bid" : "no_bid", country === "DE" ? "bid" : "no_bid"],
      bids_micros: [nth % 2 === 0 ? 5 : 0, country === "DE" ? 5 : 0],
      ...more,
    }),
  );

test("a partner is published as skipped once enough requests got no bid, and only where they did not", async () => {
  const first = await published();
  expect(first?.content).toEqual({});
  await keep(stores.clickhouse, { auctions: requests("US", 1100) });
  const learned = await published();
  expect(learned?.content).toEqual({ never: { "": true } });
  expect(learned?.version).not.toBe(first?.version);
  expect((await published())?.version).toBe(learned?.version);

  await keep(stores.clickhouse, { auctions: requests("DE", 100) });
  expect((await published())?.content).toEqual({ never: { "banner/US": true } });
});

test("a flood of requests that name their partners, with keys of their own, changes no skip", async () => {
  const before = await published();
  const flood = { asked: ["never", "often"], ask_probabilities: [-1, -1] };
  await keep(stores.clickhouse, { auctions: requests("FR", 20_000, flood) });
  expect(await published()).toEqual(before);
});
