import { expect, test } from "vitest";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { askForAd, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

test("zones register themselves at their first request, up to a limit", async () => {
  const session = await startSession(at.exchange, at.app);
  for (const zone of ["main", "menu", "main"]) await askForAd(at.exchange, session, { zone });
  await at.exchange.exchange.drain();
  const { rows } = await at.stores.pg.pool.query(
    "SELECT zone, name, format FROM zones WHERE app_id = $1 ORDER BY zone",
    [at.app.id],
  );
  expect(rows).toEqual([
    { zone: "main", name: "main", format: "banner" },
    { zone: "menu", name: "menu", format: "banner" },
  ]);
  for (let n = 0; n < 510; n++) {
    await askForAd(at.exchange, session, { zone: `hostile-${n}` }, { "x-forwarded-for": `203.0.113.${n % 250}` });
  }
  await at.exchange.exchange.drain();
  const count = await at.stores.pg.pool.query("SELECT count(*)::int AS n FROM zones WHERE app_id = $1", [at.app.id]);
  expect(count.rows).toEqual([{ n: 500 }]);
  const auctions = await at.exchange.rows<{ zone: string }>("auctions");
  expect(auctions.filter(({ zone }) => zone === "other")).toHaveLength(12);
});
