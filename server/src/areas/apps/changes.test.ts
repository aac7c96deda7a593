import type { Changes } from "@millrace/contract";
import { expect, test } from "vitest";
import { auction, impression, keep } from "../statistics/testing/some-rows.ts";
import { createApp } from "./index.ts";
import { twoApps } from "./testing/two-apps.ts";

const { stores, at, owner, other, tide, chess } = await twoApps();

/** Two days that are over: on the second one Germany has no ads any more, and the others are as before. */
const countries = ["US", "DE", "FR"];
const requests = (day: string) =>
  countries.flatMap((country) =>
    Array.from({ length: 4 }, () => auction(`${day}T12:00:00Z`, { app_id: tide.id, country, asked: ["aurora"] })),
  );
const ads = (day: string, shown: readonly string[]) =>
  shown.map((country) => impression(`${day}T12:00:01Z`, { app_id: tide.id, country, revenue_micros: 1001 }));
await keep(stores.clickhouse, {
  auctions: [...requests("2024-10-01"), ...requests("2024-10-02")],
  events: [
    ...ads("2024-10-01", ["US", "US", "DE", "DE", "DE", "FR"]),
    ...ads("2024-10-02", ["US", "US", "FR"]),
    impression("2024-10-02T12:00:01Z", { app_id: chess.id, country: "US", revenue_micros: 7 }),
  ],
});

const ask = async (where: string, query = "", day = "2024-10-02") => {
  const { status, body } = await at.get(owner, `/apps/${where}/changes.json?ds=${day}&de=${day}${query}`);
  expect(status).toBe(200);
  return body as Changes;
};

test("the change is split into its factors, and its movers are of the group that tells most", async () => {
  const changes = await ask(tide.uuid);
  expect(changes).toMatchObject({
    difference: -3003,
    factors: { requests: 0, fillrate: -3003, ecpm: 0 },
    main: "fillrate",
    before: { requests: 12, impressions: 6, fillrate: 50, ecpm: 1_001_000, revenue: 6006 },
    after: { requests: 12, impressions: 3, fillrate: 25, ecpm: 1_001_000, revenue: 3003 },
    compared: { ds: "2024-10-01", de: "2024-10-01" },
    compared_until: null,
    by: "country",
    rest: 0,
  });
  expect(changes.movers).toEqual([
    {
      id: "DE",
      name: "Germany",
      filter: { key: "country", value: "DE" },
      before: { requests: 4, impressions: 3, fillrate: 75, ecpm: 1_001_000, revenue: 3003 },
      after: { requests: 4, impressions: 0, fillrate: 0, ecpm: null, revenue: 0 },
      difference: -3003,
      factors: { requests: 0, fillrate: -3003, ecpm: 0 },
      main: "fillrate",
    },
  ]);
});

test("a chosen group has its own movers, with the requests sent to a provider", async () => {
  const changes = await ask(tide.uuid, "&by=provider");
  expect([changes.by, changes.rest]).toEqual(["provider", 0]);
  expect(changes.movers).toMatchObject([{ id: "aurora", name: "Aurora Exchange", before: { requests: 12 } }]);
});

test("the movers of all apps can be apps, with their address", async () => {
  const changes = await ask("performance", "&by=app");
  expect(changes.movers.map(({ name, uuid, difference }) => [name, uuid, difference])).toEqual([
    ["Tide Puzzle", tide.uuid, -3003],
    ["=Chess", chess.uuid, 7],
  ]);
  expect(changes.difference).toBe(-2996);
  expect(changes.movers[1]?.filter).toEqual({ key: "app_id", value: String(chess.id) });
});

test("movers with the same name are told apart by their platform", async () => {
  const [at, namesake] = [
    "2024-09-02T12:00:00Z",
    await createApp(stores.pg.pool, owner, { name: "Tide Puzzle", bundleId: "com.example.tide2", platform: "ios" }),
  ];
  await keep(stores.clickhouse, {
    auctions: [],
    events: [tide, namesake].map(({ id }) => impression(at, { app_id: id, revenue_micros: 9 })),
  });
  const { movers } = await ask("performance", "&by=app", "2024-09-02");
  expect(movers.map(({ name }) => name).toSorted()).toEqual(["Tide Puzzle, Android", "Tide Puzzle, iOS"]);
});

test("where nothing changed there is no mover", async () => {
  const changes = await ask(chess.uuid, "&compare=weekdays&country=DE");
  expect(changes).toMatchObject({ difference: 0, main: null, movers: [], rest: 0 });
  expect(changes.compared).toEqual({ ds: "2024-09-25", de: "2024-09-25" });
});

test("what changed in another account's app is not told", async () => {
  expect((await at.get(other, `/apps/${tide.uuid}/changes.json`)).status).toBe(404);
  const { body } = await at.get(other, "/apps/performance/changes.json?ds=2024-10-02&de=2024-10-02");
  expect(body).toMatchObject({ difference: 0, movers: [] });
});

test.each(["compare=none", "by=app", "by=day", "func=totals"])("an app's changes refuse %s", async (query) => {
  expect((await at.get(owner, `/apps/${tide.uuid}/changes.json?${query}`)).status).toBe(400);
});
