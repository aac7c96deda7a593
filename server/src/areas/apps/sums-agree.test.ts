import { addDays } from "@millrace/units";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { appsServer } from "./testing/apps-server.ts";
import { rawRows } from "./testing/count-by-hand.ts";
import {
  type Question,
  type World,
  appListAgrees,
  appPageAgrees,
  publisherPageAgrees,
  questions,
} from "./testing/numbers-agree.ts";
import { DAYS, FIRST_DAY, threeApps } from "./testing/three-apps.ts";

const stores = await testStores();
const at = await appsServer(stores);
afterAll(at.stop);
let world: World;

beforeAll(async () => {
  const { account, apps } = await threeApps(stores);
  world = { at, account, apps, rows: await rawRows(stores) };
});

test(
  "table, summary, chart, app list and all apps equal a count of the raw events, for any dates and filters",
  { timeout: 480_000 },
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

test(
  "while the last day runs, every figure is compared with a count of the raw events up to the same minute",
  { timeout: 480_000 },
  async () => {
    const clock = { nowMs: Date.now() };
    const running = await appsServer(stores, { now: () => clock.nowMs });
    const ofToday: World = { ...world, at: running, clock };
    const agrees = async (asked: Question) => {
      const parts = [appPageAgrees(ofToday, asked), appListAgrees(ofToday, asked), publisherPageAgrees(ofToday, asked)];
      await Promise.all(parts);
    };
    const lengths = [
      { min: 1, max: 2 },
      { min: 3, max: 13 },
      { min: 14, max: 140 },
    ];
    const run = await fc.check(fc.asyncProperty(questions(FIRST_DAY, DAYS - 140, lengths), agrees), {
      numRuns: 120,
      seed: 20_241_120,
    });
    await running.stop();
    expect(fc.defaultReportMessage(run)).toBeUndefined();
  },
);

test("the days of the rows are within the requested dates", () => {
  const days = [...world.rows.keys()].toSorted();
  expect([days[0], days.at(-1)]).toEqual([FIRST_DAY, addDays(FIRST_DAY, DAYS - 1)]);
});
