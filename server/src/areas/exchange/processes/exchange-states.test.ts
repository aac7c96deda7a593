import { expect, test } from "vitest";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { askForAd, startSession } from "../testing/start-exchange.ts";
import { forgetState, noteState, pausedPartners, sinceStart } from "./exchange-states.ts";

const at = await exchangeForEachTest();
const NOTHING = { imps: {}, invalid_events: {}, notices: {}, refused_vast: {} };

test("an exchange counts for the dashboard, wherever that runs, until it stops", async () => {
  const { pool } = at.stores.pg;
  const session = await startSession(at.exchange, at.app);
  await askForAd(at.exchange, session);
  await at.partner("buyer", bidsAt(1));
  await askForAd(at.exchange, session);
  await askForAd(at.exchange, session);
  await expect
    .poll(() => sinceStart(pool))
    .toMatchObject({
      processes: 1,
      imps: [
        { result: "sold", count: 2 },
        { result: "no_partner_ready", count: 1 },
      ],
      invalid_events: [],
      paused_partners: 0,
    });
  await at.exchange.stop();
  expect(await sinceStart(pool)).toBeNull();
  await at.restart({});
});

test("several processes are one to the dashboard, and one that is not heard of does not count", async () => {
  const { pool } = at.stores.pg;
  await noteState(pool, "two", {
    counts: { ...NOTHING, imps: { sold: 3 }, notices: { failed: 1 } },
    paused: [
      { id: "down", breaker: "open" },
      { id: "back", breaker: "open" },
    ],
  });
  await noteState(pool, "three", {
    counts: { ...NOTHING, imps: { sold: 1, no_demand: 9 } },
    paused: [{ id: "back", breaker: "half_open" }],
  });
  await noteState(pool, "gone", {
    counts: { ...NOTHING, imps: { sold: 99 } },
    paused: [{ id: "old", breaker: "open" }],
  });
  await pool.query("UPDATE exchange_states SET at = now() - interval '16 seconds' WHERE name = 'gone'");
  expect(await sinceStart(pool)).toMatchObject({
    // With the one of the test.
    processes: 3,
    imps: [
      { result: "no_demand", count: 9 },
      { result: "sold", count: 4 },
    ],
    notices: expect.arrayContaining([{ result: "failed", count: 1 }]),
    paused_partners: 2,
  });
  const paused = [
    { id: "back", breaker: "half_open" },
    { id: "down", breaker: "open" },
  ];
  expect(await pausedPartners(pool)).toEqual(paused);
  for (const name of ["two", "three", "gone"]) await forgetState(pool, name);
});
