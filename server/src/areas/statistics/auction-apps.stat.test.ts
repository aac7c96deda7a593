import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { auctionApps } from "./auction-apps.stat.ts";
import { auction, keep } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();

test("each recorded auction is of one app, however many imps it has; an unknown one is left out", async () => {
  const [one, other, unknown] = [randomUUID(), randomUUID(), randomUUID()];
  await keep(clickhouse, {
    auctions: [
      auction("2024-11-19T10:00:00Z", { auction_id: one, app_id: 7 }),
      auction("2024-11-19T10:00:00Z", { auction_id: one, app_id: 7, imp_id: "2" }),
      auction("2023-01-01T10:00:00Z", { auction_id: other, app_id: 8 }),
      auction("2024-11-19T10:00:00Z", { app_id: 9 }),
    ],
  });
  const ask = (auctions: string[]) => runStat(clickhouse.read, auctionApps, { auctions, de: "2024-11-19" });
  const found = await ask([one, other, unknown]);
  expect(new Map(found.map(({ auction: id, appId }) => [id, appId]))).toEqual(
    new Map([
      [one, 7],
      [other, 8],
    ]),
  );
  expect(await ask([])).toEqual([]);
});
