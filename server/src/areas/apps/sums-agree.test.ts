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

test("the days of the rows are within the requested dates", () => {
  const days = [...world.rows.keys()].toSorted();
  expect([days[0], days.at(-1)]).toEqual([FIRST_DAY, addDays(FIRST_DAY, DAYS - 1)]);
});
