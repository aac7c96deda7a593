import { type AppBids, type AppMediation, BID_EDGES, type Format } from "@millrace/contract";
import { revenueShareMicros } from "@millrace/units";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import type { AuctionRow, EventRow } from "../../statistics/index.ts";
import { auction, impression, keep } from "../../statistics/testing/some-rows.ts";
import { createApp } from "../index.ts";
import type { App } from "../store.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";

const NOW = Date.parse("2024-11-20T06:30:20Z");
const FIRST = Date.parse("2024-11-05T00:00:00Z");
const PARTNERS = ["aurora", "borealis", "corona"] as const;
const COUNTRIES = ["US", "DE", "IN"] as const;
const FORMATS = ["banner", "video"] as const satisfies Format[];
const OUTCOMES = ["bid", "no_bid", "timeout", "http_error"] as const;

const stores = await testStores();
const rows: { auctions: AuctionRow[]; events: EventRow[] } = { auctions: [], events: [] };
let at: Awaited<ReturnType<typeof appsServer>>;
let owner: number;
let other: number;
let app: App;

beforeAll(async () => {
  at = await appsServer(stores, {
    now: () => NOW,
    role: "owner",
    partnersOf: async () =>
      PARTNERS.map((id) => ({
        id,
        name: id,
        formats: ["banner" as const],
        keyed: ["banner" as const],
        enabled: id !== "corona",
        active: true,
        is_test: false,
      })),
  });
  [owner, other] = [await newAccount(stores, "Owner"), await newAccount(stores, "Other")];
  app = await createApp(stores.pg.pool, owner, { name: "Tide", bundleId: "com.example.tide", platform: "android" });
  fill(app.id);
  await keep(stores.clickhouse, rows);
});
afterAll(() => at.stop());

/** Two weeks of auctions from a seeded generator, some with an impression. */
function fill(appId: number): void {
  let state = 19;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  for (let n = 0; n < 1500; n++) {
    const atMs = FIRST + Math.floor(random() * (NOW - FIRST));
    const asked = PARTNERS.filter(() => random() < 0.8);
    const outcomes = asked.map(() => pick(OUTCOMES));
    const bids = outcomes.map((outcome) => (outcome === "bid" ? 1 + Math.floor(10 ** (4 + 3 * random())) : 0));
    const best = Math.max(0, ...bids);
    const sold = best > 300_000;
    const where = { app_id: appId, country: pick(COUNTRIES), format: pick(FORMATS), zone: "main" };
    const row = auction(new Date(atMs).toISOString(), {
      ...where,
      asked: [...asked],
      outcomes,
      latencies_ms: outcomes.map((outcome) => (outcome === "timeout" ? 94 : 5 + Math.floor(random() * 60))),
      bids_micros: bids,
      winner: sold ? (asked[bids.indexOf(best)] ?? "") : "",
      price_micros: sold ? best : 0,
      no_ad: sold ? "" : "no_demand",
    });
    rows.auctions.push(row);
    if (!sold || random() < 0.2) continue;
    const shown = impression(new Date(Math.min(NOW, atMs + 1500)).toISOString(), {
      ...where,
      auction_id: row.auction_id,
      provider: row.winner,
      gross_micros: Math.round(best / 1000),
      revenue_micros: revenueShareMicros(Math.round(best / 1000), 800_000),
    });
    rows.events.push(shown);
  }
}

const dayOf = ({ at: moment }: { at: string }) => new Date(Number(moment) * 1000).toISOString().slice(0, 10);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

interface Asked {
  ds: string;
  de: string;
  format: readonly Format[];
  country: readonly string[];
}
const day = fc.integer({ min: 0, max: 15 }).map((n) => new Date(FIRST + n * 86_400_000).toISOString().slice(0, 10));
const asked = fc
  .record({
    days: fc.tuple(day, day),
    format: fc.subarray([...FORMATS]),
    country: fc.subarray([...COUNTRIES]),
  })
  .map(({ days, ...rest }): Asked => {
    const [ds, de] = days.toSorted();
    return { ds: ds!, de: de!, ...rest };
  });
const queryOf = ({ ds, de, format, country }: Asked) =>
  [`ds=${ds}&de=${de}`, ...format.map((each) => `format=${each}`), ...country.map((each) => `country=${each}`)].join(
    "&",
  );

const readMediation = async (query: string) =>
  (await at.get(owner, `/apps/${app.uuid}/mediation.json?${query}`)).body as AppMediation;
const readBids = async (query: string) => (await at.get(owner, `/apps/${app.uuid}/bids.json?${query}`)).body as AppBids;

test("every count and every sum of a scorecard equals a count of the raw rows", { timeout: 120_000 }, async () => {
  const agrees = async (question: Asked) => {
    const { ds, de, format, country } = question;
    const reply = await readMediation(queryOf(question));
    const within = (row: AuctionRow | EventRow) =>
      (format.length === 0 || format.some((each) => each === row.format)) &&
      (country.length === 0 || country.includes(row.country));
    const auctions = rows.auctions.filter((row) => within(row) && dayOf(row) >= ds && dayOf(row) <= de);
    const length = (Date.parse(de) - Date.parse(ds)) / 86_400_000 + 1;
    const shiftMs = length * 86_400_000;
    const untilMs = de === "2024-11-20" ? Math.floor(NOW / 60_000) * 60_000 - shiftMs : Date.parse(ds);
    for (const partner of reply.partners) {
      const facts = auctions.flatMap((row) => {
        const place = row.asked.indexOf(partner.id);
        return place < 0 ? [] : [{ outcome: row.outcomes[place], won: row.winner === partner.id }];
      });
      const earned = rows.events.filter((row) => within(row) && row.provider === partner.id);
      const before = earned.filter((row) => {
        const ms = Number(row.at) * 1000;
        return ms >= Date.parse(ds) - shiftMs && ms < untilMs;
      });
      expect({ id: partner.id, ...question, ...pickCounts(partner) }).toEqual({
        id: partner.id,
        ...question,
        asked: facts.length,
        bids: facts.filter(({ outcome }) => outcome === "bid").length,
        wins: facts.filter(({ won }) => won).length,
        timeouts: facts.filter(({ outcome }) => outcome === "timeout").length,
        errors: facts.filter(({ outcome }) => outcome === "http_error").length,
        revenue: sum(earned.filter((row) => dayOf(row) >= ds && dayOf(row) <= de).map((row) => row.revenue_micros)),
        last_revenue: sum(before.map((row) => row.revenue_micros)),
      });
      expect(partner.spark).toEqual(
        reply.spark_days.map((date) =>
          sum(earned.filter((row) => dayOf(row) === date).map((row) => row.revenue_micros)),
        ),
      );
    }
    for (const count of ["asked", "bids", "wins", "timeouts", "errors", "revenue", "last_revenue"] as const) {
      expect(sum(reply.partners.map((partner) => partner[count]))).toBe(reply.total[count]);
    }
  };
  const run = await fc.check(fc.asyncProperty(asked, agrees), { numRuns: 60, seed: 20_241_120 });
  expect(fc.defaultReportMessage(run)).toBeUndefined();
});

const pickCounts = ({
  asked: a,
  bids,
  wins,
  timeouts,
  errors,
  revenue,
  last_revenue,
}: AppMediation["partners"][number]) => ({
  asked: a,
  bids,
  wins,
  timeouts,
  errors,
  revenue,
  last_revenue,
});

test("a partner's line of revenue ends with the last day that is over", async () => {
  expect((await readMediation("ds=2024-11-14&de=2024-11-20")).spark_days.at(-1)).toBe("2024-11-19");
});

test("times and the median bid are those of the raw rows, within 2%", async () => {
  const { partners } = await readMediation("ds=2024-11-05&de=2024-11-19");
  for (const partner of partners) {
    const facts = rows.auctions
      .filter((row) => dayOf(row) <= "2024-11-19")
      .flatMap((row) => {
        const place = row.asked.indexOf(partner.id);
        return place < 0 ? [] : [{ latency: row.latencies_ms[place]!, bid: row.bids_micros[place]! }];
      });
    const latencies = facts.map(({ latency }) => latency).toSorted((a, b) => a - b);
    const bids = facts.flatMap(({ bid }) => (bid > 0 ? [bid] : [])).toSorted((a, b) => a - b);
    expect(isNear(partner.p50_ms, latencies, 0.5)).toBe(true);
    expect(isNear(partner.p95_ms, latencies, 0.95)).toBe(true);
    expect(isNear(partner.median_bid, bids, 0.5)).toBe(true);
    expect(isNear(partner.low_bid, bids, 0.05)).toBe(true);
    expect(isNear(partner.high_bid, bids, 0.95)).toBe(true);
  }
});

/** Whether a value is within 2% of the values around this rank. */
function isNear(value: number | null, sorted: readonly number[], rank: number): boolean {
  const place = rank * (sorted.length - 1);
  const [low, high] = [
    sorted[Math.max(0, Math.floor(place) - 1)]!,
    sorted[Math.min(sorted.length - 1, Math.ceil(place) + 1)]!,
  ];
  return value !== null && value >= low * 0.979 - 1 && value <= high * 1.021 + 1;
}

test("the buckets of bids hold every request of yesterday once, and a floor's effect is that of the raw rows", async () => {
  const yesterday = rows.auctions.filter((row) => dayOf(row) === "2024-11-19");
  const shown = rows.events.filter((row) => dayOf(row) === "2024-11-19");
  const priceOf = new Map(rows.auctions.map((row) => [row.auction_id, row.price_micros]));
  await fc.assert(
    fc.asyncProperty(
      fc.option(fc.constantFrom(...COUNTRIES)),
      fc.option(fc.constantFrom(...FORMATS)),
      fc.integer({ min: 1, max: 12_000_000 }),
      async (country, format, floor) => {
        const own = <R extends AuctionRow | EventRow>(of: readonly R[]) =>
          of.filter((row) => (country ?? row.country) === row.country && (format ?? row.format) === row.format);
        const query = [
          `floor=${floor}`,
          ...(country ? [`country=${country}`] : []),
          ...(format ? [`format=${format}`] : []),
        ];
        const reply = await readBids(query.join("&"));
        const [requests, impressions] = [own(yesterday), own(shown)];
        expect(reply).toMatchObject({
          day: "2024-11-19",
          requests: requests.length,
          impressions: impressions.length,
          floors: [0],
        });
        expect(reply.revenue).toBe(sum(impressions.map((row) => row.revenue_micros)));
        expect(sum(reply.buckets.map((bucket) => bucket.requests)) + reply.without_bid).toBe(requests.length);
        expect(sum(reply.buckets.map((bucket) => bucket.revenue))).toBe(reply.revenue);
        for (const { from, requests: count } of reply.buckets) {
          const to = BID_EDGES[BID_EDGES.indexOf(from) + 1] ?? Infinity;
          const best = requests.map((row) => (row.winner === "" ? Math.max(0, ...row.bids_micros) : row.price_micros));
          expect(best.filter((price) => price >= from && price < to).length).toBe(count);
        }
        const lost = impressions.filter((row) => (priceOf.get(row.auction_id) ?? 0) < floor);
        expect(reply.effect).toMatchObject({
          impressions: 0 - lost.length,
          revenue: 0 - sum(lost.map((row) => row.revenue_micros)),
        });
      },
    ),
    { numRuns: 25, seed: 7 },
  );
});

test("requests from before partner facts were recorded are told apart from requests that nobody answered", async () => {
  const old = await createApp(stores.pg.pool, owner, {
    name: "Old",
    bundleId: "com.example.old",
    platform: "android",
  });
  const none = { outcomes: [], latencies_ms: [], bids_micros: [] };
  const request = (day: string, row: Partial<AuctionRow>) => auction(`${day}T08:00:00Z`, { app_id: old.id, ...row });
  await keep(stores.clickhouse, {
    auctions: [
      request("2024-11-10", { ...none, asked: ["aurora", "borealis"] }),
      request("2024-11-12", { ...none, asked: ["aurora"] }),
      request("2024-11-12", { asked: ["aurora"], outcomes: ["bid"], latencies_ms: [9], bids_micros: [1] }),
      request("2024-11-13", { asked: ["aurora"], outcomes: ["no_bid"], latencies_ms: [9], bids_micros: [0] }),
    ],
    events: [],
  });
  const unknownIn = async (query: string) =>
    ((await at.get(owner, `/apps/${old.uuid}/mediation.json?${query}`)).body as AppMediation).unknown;
  expect(await unknownIn("ds=2024-11-05&de=2024-11-20")).toEqual({ requests: 3, since: "2024-11-12" });
  expect(await unknownIn("ds=2024-11-05&de=2024-11-11")).toEqual({ requests: 2, since: "2024-11-12" });
  expect(await unknownIn("ds=2024-11-13&de=2024-11-20")).toEqual({ requests: 0, since: "2024-11-12" });
  expect(await unknownIn("ds=2024-11-05&de=2024-11-20&country=DE")).toEqual({ requests: 0, since: "2024-11-12" });
  expect((await readMediation("ds=2024-11-05&de=2024-11-20")).unknown).toEqual({ requests: 0, since: "2024-11-05" });
});

test("an app without any recorded request has no first day", async () => {
  const fresh = await createApp(stores.pg.pool, owner, {
    name: "Fresh",
    bundleId: "com.example.fresh",
    platform: "android",
  });
  const { body } = await at.get(owner, `/apps/${fresh.uuid}/mediation.json?ds=2024-11-05&de=2024-11-20`);
  expect((body as AppMediation).unknown).toEqual({ requests: 0, since: null });
});

test("another account's app is not found", async () => {
  for (const path of ["mediation.json", "bids.json"]) {
    expect((await at.get(other, `/apps/${app.uuid}/${path}`)).status).toBe(404);
  }
});

test("a floor that is no amount, and a country that is none, are refused", async () => {
  for (const query of ["floor=x", "floor=-1", "floor=1.5", "country=usa", "format=poster", "more=1"]) {
    expect((await at.get(owner, `/apps/${app.uuid}/bids.json?${query}`)).status).toBe(400);
  }
});
