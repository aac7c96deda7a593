import { FORMATS } from "@millrace/contract";
import { DAY_MS, addDays } from "@millrace/units";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { auction, click, impression, keep, ping, session } from "../statistics/testing/some-rows.ts";
import type { AuctionRow, EventRow } from "../statistics/index.ts";
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

const FIRST_DAY = "2024-02-26";
// More than a span of devices_by_span (128 days), so that ranges begin, end and lie within several.
const DAYS = 300;
const ZONES = ["main", "end", "shop"];

const stores = await testStores();
const at = await appsServer(stores);
afterAll(at.stop);
let world: World;

/** A small generator with a seed, so that a failing case can be run again. */
function dice(seed: number) {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const one = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  return { below, one };
}

function someRows(appIds: number[]) {
  const { below, one } = dice(7);
  const made: { auctions: AuctionRow[]; events: EventRow[] } = { auctions: [], events: [] };
  for (let index = 0; index < 9000; index++) {
    const moment = new Date(Date.parse(`${FIRST_DAY}T00:00:00Z`) + below(DAYS * DAY_MS)).toISOString();
    const who = { app_id: one(appIds), country: one(COUNTRIES), device: String(below(900) + 1) };
    const place = { zone: one(ZONES), format: one(FORMATS) };
    const invalid = below(20) === 0 ? "data_centre" : "";
    const asked = PROVIDERS.filter(() => below(3) > 0);
    switch (below(6)) {
      case 0:
        made.events.push(session(moment, { ...who, invalid }));
        break;
      case 1:
        made.events.push(ping(moment, below(60), who));
        break;
      case 2:
        made.events.push(click(moment, { ...who, ...place, provider: one(PROVIDERS), invalid }));
        break;
      case 3:
        made.events.push(
          impression(moment, { ...who, ...place, provider: one(PROVIDERS), invalid, revenue_micros: below(20_000) }),
        );
        break;
      default:
        made.auctions.push(
          auction(moment, { ...who, ...place, asked, no_ad: asked.length > 0 ? "" : "no_partner_ready" }),
        );
    }
  }
  return made;
}

beforeAll(async () => {
  const account = await newAccount(stores, "Owner");
  const foreign = await newAccount(stores, "Other");
  const make = (owner: number, name: string) =>
    createApp(stores.pg.pool, owner, { name, bundleId: `com.example.${name}`, platform: "android" });
  const apps = [await make(account, "tide"), await make(account, "chess"), await make(account, "idle")];
  const others = await make(foreign, "foreign");
  const made = someRows([apps[0]?.id ?? 0, apps[1]?.id ?? 0, others.id]);
  // Several batches, so that numbers are gathered from several parts of each table.
  for (let part = 0; part < 4; part++) {
    const ofPart = <T>(all: T[]) => all.filter((_, index) => index % 4 === part);
    await keep(stores.clickhouse, { auctions: ofPart(made.auctions), events: ofPart(made.events) });
  }
  world = { at, account, apps, rows: await rawRows(stores) };
});

test(
  "table, summary, chart, app list and all apps say what the raw events say, for any dates and filters",
  { timeout: 240_000 },
  async () => {
    const lengths = [
      { min: 1, max: 6 },
      { min: 7, max: 40 },
      { min: 100, max: 290 },
    ];
    const agrees = async (asked: Question) => {
      await Promise.all([appPageAgrees(world, asked), appListAgrees(world, asked), publisherPageAgrees(world, asked)]);
    };
    const run = await fc.check(fc.asyncProperty(questions(FIRST_DAY, DAYS, lengths), agrees), {
      numRuns: 200,
      seed: 20_241_119,
    });
    expect(fc.defaultReportMessage(run)).toBeUndefined();
  },
);

test("the days of the rows are inside the dates that are asked for", () => {
  const days = [...world.rows.keys()].toSorted();
  expect([days[0], days.at(-1)]).toEqual([FIRST_DAY, addDays(FIRST_DAY, DAYS - 1)]);
});
