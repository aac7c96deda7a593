import { FORMATS } from "@millrace/contract";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { createApp } from "./index.ts";
import { appsServer, newAccount } from "./testing/apps-server.ts";
import { rawRows } from "./testing/count-by-hand.ts";
import {
  COUNTRIES,
  PROVIDERS,
  type Question,
  type World,
  appListAgrees,
  appPageAgrees,
  publisherPageAgrees,
  questions,
} from "./testing/numbers-agree.ts";

const FIRST_DAY = "2024-01-05";
const DAYS = 160;
const AUCTIONS = 600_000;
const EVENTS = 400_000;

const stores = await testStores();
const at = await appsServer(stores);
afterAll(at.stop);
let world: World;

const list = (values: readonly (string | number)[]) =>
  `[${values.map((value) => (typeof value === "number" ? value : `'${value}'`)).join(",")}]`;

/**
 * The values of a row, derived from its number. The first app has most of the devices, so that there are sampled groups
 * and small ones.
 */
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
  const account = await newAccount(stores, "Owner");
  const make = (name: string) =>
    createApp(stores.pg.pool, account, { name, bundleId: `com.example.${name}`, platform: "android" });
  const apps = [await make("tide"), await make("chess"), await make("idle")];
  const appIds = apps.map(({ id }) => id);
  const asked = `arrayFilter(one -> cityHash64(number, one) % 3 > 0, ${list(PROVIDERS)})`;
  await fill("auctions", AUCTIONS, {
    ...common("auctions", appIds),
    asked,
    no_ad:
      "if(empty(asked), 'no_partner_ready', ['', '', 'no_demand', 'timeout'][1 + cityHash64(number, 'no ad') % 4])",
  });
  const { format, zone, ...who } = common("events", appIds);
  const ofAnAd = (value: string) => `if(number % 4 = 3, '', ${value})`;
  await fill("events", EVENTS, {
    ...who,
    kind: "['impression', 'impression', 'click', 'session'][1 + number % 4]",
    format: ofAnAd(format),
    zone: ofAnAd(zone),
    // The last version shows no ad.
    sdk_version: "['1.0.0', '1.1.0', '9.9.9'][1 + cityHash64(number, 'sdk') % if(number % 4 < 2, 2, 3)]",
    provider: ofAnAd(`${list(PROVIDERS)}[1 + intDiv(number, 4) % 3]`),
    revenue_micros: "if(number % 4 < 2, number % 5000, 0)",
    invalid: "if(number % 21 = 0, 'crawler', '')",
  });
  world = { at, account, apps, rows: await rawRows(stores) };
}, 120_000);

test("at a million events every number equals a count of the raw rows", { timeout: 600_000 }, async () => {
  let sampled = 0;
  const lengths = [
    { min: 1, max: 30 },
    { min: 31, max: 180 },
  ];
  let nth = 0;
  // One call per case, in sequence, because counting so many rows by hand is slow.
  const check = async (asked: Question) => {
    const call = nth++ % 3;
    if (call === 0) sampled += Number((await appPageAgrees(world, asked)) > 10_000);
    else if (call === 1) await appListAgrees(world, asked);
    else await publisherPageAgrees(world, asked);
  };
  await fc.assert(fc.asyncProperty(questions(FIRST_DAY, DAYS, lengths), check), { numRuns: 200, seed: 20_241_119 });
  // Some groups were counted by samples.
  expect(sampled).toBeGreaterThan(10);
});
