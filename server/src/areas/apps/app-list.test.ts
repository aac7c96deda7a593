import { FORMAT_LABELS, PLATFORM_LABELS, type Reply, type dashFilters, type listApps } from "@millrace/contract";
import { expect, test } from "vitest";
import { impression, keep } from "../statistics/testing/some-rows.ts";
import { createApp } from "./index.ts";
import { newAccount } from "./testing/apps-server.ts";
import { DAYS, twoApps } from "./testing/two-apps.ts";

const { stores, at, owner, other, tide, chess } = await twoApps();

test("the list has every app of the account with its metrics, and the totals", async () => {
  const list = async (query = "") => (await at.get(owner, `/apps.json?${DAYS}${query}`)).body as Reply<typeof listApps>;
  const all = await list();
  expect(all.apps.map(({ name, revenue, requests, uniques }) => [name, revenue, requests, uniques])).toEqual([
    ["=Chess", 0, 1, 1],
    ["Tide Puzzle", 5501, 4, 3],
  ]);
  expect(all.pager).toEqual({ current_page: 1, entries_per_page: 50, first_page: 1, last_page: 1 });
  // Device 2 uses both apps and is one device.
  expect(all.totals).toMatchObject({ requests: 5, revenue: 5501, uniques: 3, sessions: 3, ltv: 1550 });
  expect((await list("&search=CHESS")).apps.map(({ name }) => name)).toEqual(["=Chess"]);
  expect((await list("&search=example.tide")).totals).toMatchObject({ requests: 4 });
  expect((await list("&order=revenue&order_type=desc")).apps.map(({ name }) => name)).toEqual([
    "Tide Puzzle",
    "=Chess",
  ]);
  expect((await list(`&app_id=${tide.id}`)).apps).toHaveLength(1);
  expect((await list("&search=nothing")).apps).toEqual([]);
  expect((await at.get(other, `/apps.json?${DAYS}`)).body).toMatchObject({ totals: { requests: 0, revenue: 0 } });
});

test("the list has pages of 50", async () => {
  const account = await newAccount(stores, "Many");
  for (let index = 0; index < 52; index++) {
    await createApp(stores.pg.pool, account, {
      name: `App ${index}`,
      bundleId: `com.example.a${index}`,
      platform: "roku",
    });
  }
  const page = async (p: number) => (await at.get(account, `/apps.json?p=${p}`)).body as Reply<typeof listApps>;
  expect((await page(0)).apps).toHaveLength(50);
  expect((await page(1)).apps.map(({ name }) => name)).toEqual(["App 50", "App 51"]);
  expect((await page(1)).pager).toEqual({ current_page: 2, entries_per_page: 50, first_page: 1, last_page: 2 });
  expect((await page(9)).pager.current_page).toBe(2);
});

test("the filters' choices are the account's own", async () => {
  const { body } = await at.get(owner, "/apps/dash_filters.json");
  expect(body).toEqual({
    dates: { ds: "2024-11-18", de: "2024-11-19", min: "2015-03-30", max: "2024-11-19" },
    search: "",
    providers: { aurora: "Aurora Exchange" },
    formats: FORMAT_LABELS,
    countries: { DE: "Germany", US: "United States", XX: "Unknown country" },
    apps: { [tide.id]: "Tide Puzzle", [chess.id]: "=Chess" },
    first_day: "2024-11-15",
    first_days: { [tide.id]: "2024-11-15", [chess.id]: "2024-11-19" },
  } satisfies Reply<typeof dashFilters>);
});

test("the account's revenue of today includes deleted apps", async () => {
  const gone = await createApp(stores.pg.pool, owner, { name: "Gone", bundleId: "com.example.gone2", platform: "ios" });
  await keep(stores.clickhouse, {
    events: [impression("2024-11-19T01:00:00Z", { app_id: gone.id, revenue_micros: 10 })],
  });
  await stores.pg.pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [gone.id]);
  expect(await at.apps.revenueTodayOf(owner)).toBe(4011);
  expect(await at.apps.revenueTodayOf(other)).toBe(0);
});

test("apps that share a name are told apart by their platforms", async () => {
  const account = await newAccount(stores, "Twins");
  const add = (platform: "roku" | "ios", name: string) =>
    createApp(stores.pg.pool, account, { name, bundleId: `com.example.${name}`, platform });
  const [roku, ios, word] = [await add("roku", "Cinema"), await add("ios", "Cinema"), await add("ios", "Word")];
  const { body } = await at.get(account, "/apps/dash_filters.json");
  expect((body as Reply<typeof dashFilters>).apps).toEqual({
    [roku.id]: `Cinema · ${PLATFORM_LABELS.roku}`,
    [ios.id]: `Cinema · ${PLATFORM_LABELS.ios}`,
    [word.id]: "Word",
  });
});
