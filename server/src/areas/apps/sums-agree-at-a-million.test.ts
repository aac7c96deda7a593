import { type AppParts, FORMATS, type Reply, VIEWS, type listApps } from "@millrace/contract";
import { addDays } from "@millrace/units";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { type App, createApp } from "./index.ts";
import { appsServer, newAccount } from "./testing/apps-server.ts";

const FIRST_DAY = "2024-01-05";
const DAYS = 160;
const AUCTIONS = 600_000;
const EVENTS = 400_000;
const PROVIDERS = ["aurora", "borealis", "cirrus"];
const COUNTRIES = ["US", "DE", "BR", "XX"];

const stores = await testStores();
const at = await appsServer(stores);
afterAll(at.stop);
let account: number;
let apps: App[];

const list = (values: readonly (string | number)[]) =>
  `[${values.map((value) => (typeof value === "number" ? value : `'${value}'`)).join(",")}]`;

/** What a row's number says of it. The first app has most of the devices, so that there are groups that are sampled and small ones. */
const common = (table: string, appIds: readonly number[]) => {
  const one = (values: readonly (string | number)[], of: string) =>
    `${list(values)}[1 + cityHash64(number, '${table} ${of}') % ${values.length}]`;
  return {
    at: `toDateTime64('${FIRST_DAY} 00:00:00', 3, 'UTC') + toIntervalSecond(cityHash64(number, '${table}') % ${DAYS * 86_400})`,
    app_id: `${list(appIds)}[1 + (cityHash64(number, '${table} app') % 4 = 0)]`,
    country: one(COUNTRIES, "country"),
    format: one(FORMATS, "format"),
    zone: one(["main", "end"], "zone"),
    device: `intHash64(app_id * 1000000 + cityHash64(number, '${table} device') % if(app_id = ${appIds[0]}, 150000, 9000))`,
  };
};

async function fill(table: "auctions" | "events", rows: number, columns: Record<string, string>): Promise<void> {
  const values = Object.entries(columns).map(([name, value]) => `${value} AS ${name}`);
  await stores.clickhouse.write.command({
    query: `INSERT INTO ${table} (${Object.keys(columns).join(", ")}) SELECT ${values.join(", ")} FROM numbers(${rows})`,
    clickhouse_settings: { insert_deduplication_token: table },
  });
}

beforeAll(async () => {
  account = await newAccount(stores, "Owner");
  const make = (name: string) =>
    createApp(stores.pg.pool, account, { name, bundleId: `com.example.${name}`, platform: "android" });
  apps = [await make("tide"), await make("chess"), await make("idle")];
  const appIds = apps.map(({ id }) => id);
  const asked = `arrayFilter(one -> cityHash64(number, one) % 3 > 0, ${list(PROVIDERS)})`;
  await fill("auctions", AUCTIONS, { ...common("auctions", appIds), asked });
  const { format, zone, ...who } = common("events", appIds);
  const ofAnAd = (value: string) => `if(number % 4 = 3, '', ${value})`;
  await fill("events", EVENTS, {
    ...who,
    kind: "['impression', 'impression', 'click', 'session'][1 + number % 4]",
    format: ofAnAd(format),
    zone: ofAnAd(zone),
    provider: ofAnAd(`${list(PROVIDERS)}[1 + intDiv(number, 4) % 3]`),
    revenue_micros: "if(number % 4 < 2, number % 5000, 0)",
    invalid: "if(number % 21 = 0, 'crawler', '')",
  });
}, 120_000);

/** The definitions over the raw rows alone, every device by itself. */
const BY_HAND = `
WITH asked AS (
    SELECT device, if(empty({providers:Array(String)}), 1, length(arrayIntersect(asked, {providers:Array(String)}))) AS sent
    FROM auctions
    WHERE app_id IN {apps:Array(UInt32)} AND toDate(at, 'UTC') BETWEEN {ds:Date} AND {de:Date}
        AND (empty({formats:Array(String)}) OR format IN {formats:Array(String)})
        AND (empty({countries:Array(String)}) OR country IN {countries:Array(String)})
), happened AS (
    SELECT kind, device, revenue_micros
    FROM events
    WHERE app_id IN {apps:Array(UInt32)} AND toDate(at, 'UTC') BETWEEN {ds:Date} AND {de:Date} AND invalid = ''
        AND (empty({formats:Array(String)}) OR format IN {formats:Array(String)})
        AND (empty({countries:Array(String)}) OR country IN {countries:Array(String)})
        AND (empty({providers:Array(String)}) OR provider IN {providers:Array(String)})
)
SELECT
    (SELECT sum(sent) FROM asked) AS requests,
    (SELECT countIf(kind = 'impression') FROM happened) AS impressions,
    (SELECT countIf(kind = 'click') FROM happened) AS clicks,
    (SELECT countIf(kind = 'session') FROM happened) AS sessions,
    (SELECT sum(happened.revenue_micros) FROM happened) AS revenue,
    (SELECT uniqExact(device) FROM (
        SELECT device FROM asked WHERE empty({providers:Array(String)})
        UNION ALL SELECT device FROM happened WHERE kind = if(empty({providers:Array(String)}), 'session', 'impression')
    )) AS uniques`;

const someOf = <T>(items: readonly T[]) => fc.oneof(fc.constant<T[]>([]), fc.subarray([...items]));
const question = fc
  .record({
    from: fc.integer({ min: -2, max: DAYS }),
    length: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 31, max: 180 })),
    providers: someOf(PROVIDERS),
    formats: someOf(FORMATS),
    countries: someOf(COUNTRIES),
    view: fc.constantFrom(...VIEWS),
    app: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ from, length, ...rest }) => {
    const ds = addDays(FIRST_DAY, from);
    return { ...rest, ds, de: addDays(ds, length - 1) };
  });
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

interface Counts {
  requests: number;
  impressions: number;
  clicks: number;
  sessions: number;
  revenue: number;
  uniques: number;
}
const counts = (of: { [Name in keyof Counts]: number | null }): Counts => ({
  requests: of.requests ?? 0,
  impressions: of.impressions ?? 0,
  clicks: of.clicks ?? 0,
  sessions: of.sessions ?? 0,
  revenue: of.revenue ?? 0,
  uniques: of.uniques ?? 0,
});

async function countByHand(appIds: number[], asked: Question): Promise<Counts> {
  const { ds, de, providers, formats, countries } = asked;
  const query_params = { apps: appIds, ds, de, providers, formats, countries };
  const result = await stores.clickhouse.read.query({ query: BY_HAND, query_params, format: "JSONEachRow" });
  const [row] = await result.json<Record<keyof Counts, string>>();
  const of = (name: keyof Counts) => Number(row?.[name]);
  return {
    requests: of("requests"),
    impressions: of("impressions"),
    clicks: of("clicks"),
    sessions: of("sessions"),
    revenue: of("revenue"),
    uniques: of("uniques"),
  };
}

/** Devices exactly up to ten thousand, and within 2% above; everything else to the last. */
function expectSame(said: Counts, byHand: Counts): void {
  const { uniques: devices, ...rest } = said;
  const { uniques, ...exact } = byHand;
  expect(rest).toEqual(exact);
  if (uniques <= 10_000) expect(devices).toBe(uniques);
  else expect(Math.abs(devices - uniques) / uniques).toBeLessThan(0.02);
}

const sampled = { cases: 0 };
async function check(asked: Question): Promise<void> {
  const app = apps[asked.app];
  if (!app) throw new Error("there are three apps");
  const of = (name: string, values: readonly string[]) => values.map((value): [string, string] => [name, value]);
  const filters = [
    ...of("provider", asked.providers),
    ...of("format", asked.formats),
    ...of("country", asked.countries),
  ];
  const address = new URLSearchParams([["ds", asked.ds], ["de", asked.de], ...filters]).toString();
  const [page, everything, byHand, allByHand] = await Promise.all([
    at.get(
      account,
      `/apps/${app.uuid}/stats.json?${address}&func=totals&func=stats&func=graph_data&view=${asked.view}`,
    ),
    at.get(account, `/apps.json?${address}`),
    countByHand([app.id], asked),
    countByHand(
      apps.map(({ id }) => id),
      asked,
    ),
  ]);
  const { totals, stats, graph_data: graph } = page.body as AppParts;
  const { apps: listed, totals: together } = everything.body as Reply<typeof listApps>;
  const row = listed.find(({ app_id: id }) => id === app.id);
  if (!row) throw new Error("the app is listed");
  if (byHand.uniques > 10_000) sampled.cases++;

  expectSame(counts(totals), byHand);
  expectSame(counts(together), allByHand);
  expect(counts(stats.total)).toEqual(counts(totals));
  // Counted with other apps, it may be counted by another sample.
  expectSame(counts(row), byHand);
  const sum = (values: (number | null)[] | undefined) =>
    (values ?? []).reduce<number>((all, one) => all + (one ?? 0), 0);
  const { requests, impressions, clicks, revenue } = graph.series;
  expect([requests, impressions, clicks, revenue].map(sum)).toEqual([
    byHand.requests,
    byHand.impressions,
    byHand.clicks,
    byHand.revenue,
  ]);
  if (asked.view === "provider") return;
  const column = (name: "requests" | "impressions" | "clicks" | "revenue") => sum(stats.stats.map((one) => one[name]));
  expect([column("requests"), column("impressions"), column("clicks"), column("revenue")]).toEqual([
    byHand.requests,
    byHand.impressions,
    byHand.clicks,
    byHand.revenue,
  ]);
}

test("at a million events, too, every number is what the raw rows say", { timeout: 300_000 }, async () => {
  await fc.assert(fc.asyncProperty(question, check), { numRuns: 200, seed: 20_241_119 });
  // Groups that are counted by samples were among them.
  expect(sampled.cases).toBeGreaterThan(20);
});
