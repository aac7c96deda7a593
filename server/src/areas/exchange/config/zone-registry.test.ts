import { MAX_ZONES } from "@millrace/contract";
import { expect, test } from "vitest";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { askForAd, type EventRow, fire, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

const registered = async () => {
  await at.exchange.exchange.drain();
  const { rows } = await at.stores.pg.pool.query<{ zone: string; name: string; format: string }>(
    "SELECT zone, name, format FROM zones WHERE app_id = $1 AND zone NOT LIKE 'kept-%' ORDER BY zone",
    [at.app.id],
  );
  return rows;
};
const zonesOf = async (table: "auctions" | "events") => {
  const rows = await at.exchange.rows<Pick<EventRow, "zone" | "kind">>(table);
  return rows.filter(({ kind }) => kind !== "session").map(({ zone }) => zone);
};
const show = async (session: string, zone: string, headers: Record<string, string> = {}) => {
  const { ads } = await askForAd(at.exchange, session, { zone });
  await fire(at.exchange, ads[0]?.beacons.impression ?? "", headers);
};
const fill = async (count: number) => {
  await at.stores.pg.pool.query(
    "INSERT INTO zones (app_id, zone, name, format) SELECT $1, 'kept-' || n, 'Kept', 'banner' FROM generate_series(1, $2) n",
    [at.app.id, count],
  );
  await at.exchange.exchange.reloadConfig();
};

test("a zone is registered at its first counted impression, not at its requests", async () => {
  await at.partner("buyer", bidsAt(1));
  const session = await startSession(at.exchange, at.app);
  await askForAd(at.exchange, session, { zone: "menu" });
  await show(session, "menu", { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" });
  expect(await registered()).toEqual([]);
  expect(await zonesOf("auctions")).toEqual(["menu", "menu"]);
  for (const zone of ["main", "main"]) await show(session, zone);
  expect(await registered()).toEqual([{ zone: "main", name: "main", format: "banner" }]);
});

test("an impression on a test device registers nothing", async () => {
  await at.partner("buyer", bidsAt(1));
  const ifa = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
  await at.stores.pg.pool.query("UPDATE apps SET test_devices = ARRAY[$2] WHERE id = $1", [at.app.id, ifa]);
  await at.exchange.exchange.reloadConfig();
  const device = { os: "android", osv: "14", make: "Google", model: "Pixel 8", w: 1080, h: 2400, pxratio: 3, ifa };
  const session = await startSession(at.exchange, at.app, { device });
  const { ads } = await askForAd(at.exchange, session, { device });
  expect((await fire(at.exchange, ads[0]?.beacons.impression ?? "")).statusCode).toBe(200);
  expect(await registered()).toEqual([]);
});

test("made-up names are counted under at most as many names as an app may have zones, and displace no real zone", async () => {
  await at.partner("buyer", bidsAt(1));
  await fill(MAX_ZONES - 5);
  const session = await startSession(at.exchange, at.app);
  for (let n = 0; n < 20; n++) await askForAd(at.exchange, session, { zone: `hostile-${n}` });
  expect(new Set(await zonesOf("auctions"))).toEqual(new Set([...[0, 1, 2, 3, 4].map((n) => `hostile-${n}`), "other"]));
  expect(await registered()).toEqual([]);
  await show(session, "real");
  expect(await registered()).toMatchObject([{ zone: "real" }]);
  expect(await zonesOf("events")).toEqual(["real"]);
});

test("beyond the limit of zones an ad counts under `other`, and the store enforces the limit for every process", async () => {
  await at.partner("buyer", bidsAt(1));
  await fill(MAX_ZONES - 1);
  const session = await startSession(at.exchange, at.app);
  const before = await askForAd(at.exchange, session, { zone: "late" });
  await show(session, "last");
  await show(session, "beyond");
  await fire(at.exchange, before.ads[0]?.beacons.impression ?? "");
  expect(await registered()).toMatchObject([{ zone: "last" }]);
  expect((await zonesOf("events")).toSorted()).toEqual(["last", "late", "other"]);
  // Another process has taken the last zone, which this process still considers free.
  await at.stores.pg.pool.query("DELETE FROM zones WHERE app_id = $1 AND zone = 'kept-1'", [at.app.id]);
  await at.exchange.exchange.reloadConfig();
  await at.stores.pg.pool.query("INSERT INTO zones (app_id, zone, name, format) VALUES ($1, 'kept-1', 'K', 'banner')", [
    at.app.id,
  ]);
  await show(session, "too-late");
  expect(await registered()).toMatchObject([{ zone: "last" }]);
});

test("a deleted zone comes back with its next counted impression", async () => {
  await at.partner("buyer", bidsAt(1));
  const session = await startSession(at.exchange, at.app);
  await show(session, "main");
  expect(await registered()).toHaveLength(1);
  await at.exchange.exchange.reloadConfig();
  await at.stores.pg.pool.query("DELETE FROM zones WHERE app_id = $1", [at.app.id]);
  await at.exchange.exchange.reloadConfig();
  await askForAd(at.exchange, session, { zone: "main" });
  expect(await registered()).toEqual([]);
  await show(session, "main");
  expect(await registered()).toHaveLength(1);
});
