import type { Reply, sdkAd } from "@millrace/contract";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { OpenedToken } from "../delivery/beacon-token.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { askForAd, type EventRow, fire, post, startSession } from "../testing/start-exchange.ts";
import { earlyClicks } from "./early-clicks.ts";

test("fifty of a thousand early clicks in a batch wait, and the sender's next one is put off until then", async () => {
  const looked: string[] = [];
  const early = earlyClicks({
    has: async (id) => {
      looked.push(id);
      return false;
    },
  });
  const clicks = Array.from({ length: 1000 }, (_, nth) => ({ eventIds: { impression: `i${nth}` }, facts: {} }));
  const [first, ...others] = clicks as unknown as OpenedToken[];
  if (!first) return expect.fail();
  const waits = early.wait([first, ...others], { address: "203.0.113.1" });
  await sleep(120);
  expect(looked.length).toBeGreaterThan(1000);
  expect(looked.length).toBeLessThanOrEqual(1000 + 3 * 50);
  await expect(early.wait([first], { address: "203.0.113.1" })).rejects.toThrow("Too many clicks wait");
  await Promise.all([waits, early.wait([first], { address: "203.0.113.2" })]);
  await early.wait([first], { address: "203.0.113.1" });
});

const at = await exchangeForEachTest();

test("a flood of clicks before their impressions keeps nobody else's click from waiting for its own", async () => {
  await at.partner("buyer", bidsAt(1));
  const session = await startSession(at.exchange, at.app);
  // On a busy machine, the only bidder may miss an auction's deadline.
  const nextAd = async (): Promise<Reply<typeof sdkAd>["ads"][number]> =>
    (await askForAd(at.exchange, session)).ads[0] ?? nextAd();
  const ours = (await nextAd()).beacons;
  const theirs: Reply<typeof sdkAd>["ads"] = [];
  while (theirs.length < 50) theirs.push(await nextAd());
  at.exchange.clock.offsetMs = 500;
  const fromAddress = (nth: number) => ({ "x-forwarded-for": `203.0.113.${nth}` });
  const events = theirs.map(({ beacons }) => ({ type: "click", token: new URL(beacons.click).searchParams.get("t") }));
  // As many as may wait at all.
  const flood = Array.from({ length: 20 }, () => post(at.exchange, "/sdk/v1/events", { events }, fromAddress(1)));
  await sleep(200);
  const early = fire(at.exchange, ours.click, fromAddress(2));
  await sleep(100);
  await fire(at.exchange, ours.impression, fromAddress(2));
  expect((await early).statusCode).toBe(200);
  // The first fifty wait, and the others are told to come back.
  const statuses = (await Promise.all(flood)).map(({ statusCode }) => statusCode);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 19 }, () => 503)]);
  const clicks = (await at.exchange.rows<EventRow>("events")).filter(({ kind }) => kind === "click");
  expect(clicks.filter(({ invalid }) => invalid === "")).toHaveLength(1);
});
