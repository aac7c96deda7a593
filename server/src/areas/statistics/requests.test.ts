import { CAMPAIGN_PROVIDER } from "@millrace/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { askStore } from "./ask-store.ts";
import { type RequestsQuestion, findRequests, nextDays, placeOf } from "./requests.ts";
import { auction, keep } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const nowMs = Date.parse("2024-11-20T12:00:00Z");
const ask = askStore({ ...clickhouse, clock: { now: () => nowMs } });

const EVERYTHING: RequestsQuestion = {
  appId: 1,
  range: { ds: "2024-01-01", de: "2024-11-19" },
  zones: [],
  formats: [],
  countries: [],
  reasons: [],
  winners: [],
  partners: [],
  isSold: null,
  before: null,
  after: null,
  rows: 100,
};
const find = (question: Partial<RequestsQuestion>, now = () => 0) =>
  findRequests({ ask, now }, { ...EVERYTHING, ...question });
const impsOf = ({ requests }: { requests: { imp: string }[] }) => requests.map(({ imp }) => imp);

const ids = Array.from({ length: 4 }, (_, nth) => `0000000${nth + 1}-0000-4000-8000-000000000000`);
const none = { winner: "", price_micros: 0 };
await keep(clickhouse, {
  auctions: [
    auction("2024-11-19T11:00:00Z", { imp_id: "a", zone: "end", country: "DE" }),
    auction("2024-11-19T10:00:00Z", { imp_id: "b", auction_id: ids[0], ...none, no_ad: "no_demand" }),
    auction("2024-11-19T10:00:00Z", { imp_id: "c", auction_id: ids[0], format: "video", winner: "borealis" }),
    auction("2024-11-19T09:00:00Z", { imp_id: "d", ...none, no_ad: "timeout", asked: ["borealis"] }),
    auction("2024-11-02T09:00:00Z", { imp_id: "e", zone: "end" }),
    auction("2024-02-01T00:00:00Z", { imp_id: "f", ...none, no_ad: "timeout" }),
    auction("2024-11-19T10:00:00Z", { imp_id: "other app", app_id: 2 }),
    auction("2023-12-31T23:59:59Z", { imp_id: "before the range" }),
    auction("2024-11-20T00:00:00Z", { imp_id: "after the range" }),
  ],
});

test("the requests of an app in a range are newest first", async () => {
  const found = await find({});
  expect(impsOf(found)).toEqual(["a", "c", "b", "d", "e", "f"]);
  expect(found).toMatchObject({ older: null, searchedFromMs: Date.parse("2024-01-01T00:00:00Z") });
  expect(found.requests[2]).toMatchObject({
    zone: "main",
    format: "banner",
    country: "US",
    noAd: "no_demand",
    partners: 2,
  });
});

test("campaigns are not among the partners that were asked, because they bid without being asked", async () => {
  const day = "2024-06-01";
  await keep(clickhouse, {
    auctions: [auction(`${day}T09:00:00Z`, { app_id: 4, asked: ["aurora", CAMPAIGN_PROVIDER.id, "borealis"] })],
  });
  const { requests } = await find({ appId: 4, range: { ds: day, de: day } });
  expect(requests).toMatchObject([{ partners: 2 }]);
});

test("a request says whether its auction's trace is kept", async () => {
  const now = new Date();
  const [day, time] = [now.toISOString().slice(0, 10), now.toISOString()];
  const [traced, untraced] = [auction(time, { app_id: 3 }), auction(time, { app_id: 3 })];
  const trace = { at: traced.at, auction_id: traced.auction_id, app_id: 3, trace: "{}", demo: 0 } as const;
  await keep(clickhouse, { auctions: [traced, untraced], traces: [trace] });
  const { requests } = await find({ appId: 3, range: { ds: day, de: day } });
  expect(new Map(requests.map((request) => [request.auction, request.traced]))).toEqual(
    new Map([
      [traced.auction_id, true],
      [untraced.auction_id, false],
    ]),
  );
});

test.each([
  [{ zones: ["end"] }, "ae"],
  [{ formats: ["video"] }, "c"],
  [{ countries: ["DE"] }, "a"],
  [{ reasons: ["timeout"] }, "df"],
  [{ winners: ["borealis"] }, "c"],
  [{ partners: ["aurora"] }, "acbef"],
  [{ partners: ["aurora", "borealis"], isSold: false }, "bdf"],
  [{ isSold: true }, "ace"],
  [{ isSold: true, zones: ["end"], countries: ["US"] }, "e"],
  [{ isSold: true, reasons: ["timeout"] }, ""],
  [{ range: { ds: "2024-11-01", de: "2024-11-18" } }, "e"],
] as const)("%o finds %s", async (question, imps) => {
  expect(impsOf(await find(question)).join("")).toBe(imps);
});

test("pages of any length give each request once, in order", async () => {
  for (const rows of [1, 2, 3, 5, 6]) {
    const seen: string[] = [];
    let before: RequestsQuestion["before"] = null;
    for (let page = 0; page < 10; page++) {
      const found: Awaited<ReturnType<typeof find>> = await find({ rows, before });
      expect(found.requests.length).toBeLessThanOrEqual(rows);
      seen.push(...impsOf(found));
      before = found.older;
      if (before === null) break;
    }
    expect(seen).toEqual(["a", "c", "b", "d", "e", "f"]);
  }
});

test("a search that takes too long is cut off, and the next page continues where it ended", async () => {
  let clock = 0;
  // Every look at the clock is 60 ms later, so that one query fills the time.
  const slow = () => (clock += 60);
  const range = { ds: "2024-11-01", de: "2024-11-19" };
  const seen: string[] = [];
  let pages = 1;
  for (let before: RequestsQuestion["before"] = null; pages < 100; pages++) {
    const found: Awaited<ReturnType<typeof find>> = await find({ isSold: true, range, before }, slow);
    seen.push(...impsOf(found));
    if (found.older === null) break;
    if (found.requests.length === 0) expect(found.searchedFromMs).toBe(found.older.atMs + 1);
    before = found.older;
  }
  expect(pages).toBe(19);
  expect(seen).toEqual(["a", "c", "e"]);
});

test("only what is newer than a place, or arrived out of order around it, is found after it", async () => {
  const [newest, second] = (await find({})).requests;
  if (!newest || !second) throw new Error("there are requests");
  expect(impsOf(await find({ after: placeOf(newest) }))).toEqual(["a"]);
  expect(impsOf(await find({ after: placeOf(second) }))).toEqual(["a", "c", "b"]);
});

test("the next search is at most twice as long, and fits into the time left by the last one's speed", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.double({ min: 0, max: 1e4, noNaN: true }),
      fc.double({ min: 0.01, max: 110, noNaN: true }),
      (days, tookMs, leftMs) => {
        const next = nextDays({ days, tookMs, leftMs });
        expect(next).toBeGreaterThanOrEqual(1);
        expect(next).toBeLessThanOrEqual(2 * days);
        if (next > 1) expect(next * (tookMs / days)).toBeLessThanOrEqual(leftMs);
      },
    ),
  );
});

test("a filter that no day can match costs no search", async () => {
  const asked: string[] = [];
  const counting = Object.assign((...of: Parameters<typeof ask>) => (asked.push(of[0].name), ask(...of)), ask);
  const none = { zones: ["end"], formats: ["video"] };
  const found = await findRequests({ ask: counting, now: () => 0 }, { ...EVERYTHING, ...none });
  expect(found).toMatchObject({ requests: [], older: null });
  expect(asked).toEqual([expect.stringMatching(/^request-days stats_daily/)]);
});
