import { expect, test } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { startRotation, type Turn, turnWithout } from "./rotation.ts";

const noAd = (refreshSeconds: number): Turn => ({ failed: false, refreshSeconds });
const failed: Turn = { failed: true, refreshSeconds: 0 };

/** A place whose requests get `results` in turn, and then the last one repeatedly. */
function place(results: Turn[], refreshSeconds?: number) {
  const clock = manualClock();
  const askedAt: number[] = [];
  const state = { visible: true };
  const rotation = startRotation(
    { clock, random: () => 0.5 },
    {
      async turn() {
        askedAt.push(clock.ticks() / 1000);
        return results[Math.min(askedAt.length, results.length) - 1] ?? failed;
      },
      isVisible: () => state.visible,
      refreshSeconds,
    },
  );
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      clock.advance(1000);
    }
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { askedAt, state, rotation, pass };
}

test("the server's refresh time applies by default", async () => {
  const { askedAt, pass } = place([noAd(30), noAd(60)]);
  await pass(100);
  expect(askedAt).toEqual([0, 30, 90]);
});

test("the app's refresh time overrides the server's, and 0 means never", async () => {
  const often = place([noAd(30)], 20);
  await often.pass(50);
  expect(often.askedAt).toEqual([0, 20, 40]);
  const never = place([noAd(30)], 0);
  await never.pass(100);
  expect(never.askedAt).toEqual([0]);
});

test("a place requests ads at most every 10 seconds", async () => {
  const { askedAt, pass } = place([noAd(1)]);
  await pass(25);
  expect(askedAt).toEqual([0, 10, 20]);
});

test("a failed request is retried with growing delays, even if refreshing is off", async () => {
  const { askedAt, pass } = place([failed, failed, failed, noAd(0)], 0);
  await pass(100);
  // Delays of 1.5, 3 and 6 seconds; a reply is noticed at the next whole second.
  expect(askedAt).toEqual([0, 1.5, 5, 11]);
});

test("a place whose ad nobody has bought is tried again with growing delays, and at the earliest after 10 seconds", async () => {
  for (const refreshSeconds of [undefined, 0]) {
    const { askedAt, pass } = place([turnWithout("no_ad")], refreshSeconds);
    await pass(50);
    // The first three delays of the backoff, 1.5, 3 and 6 seconds, are too short.
    expect(askedAt).toEqual([0, 10, 20, 30, 42]);
  }
});

test("a place of an app that was switched off shows ads again once it is on", async () => {
  const { askedAt, pass } = place([turnWithout("disabled"), turnWithout("disabled"), noAd(30)]);
  await pass(40);
  expect(askedAt).toEqual([0, 1.5, 5, 35]);
});

test("a hidden place requests no ads; once visible again it requests the overdue one", async () => {
  const { askedAt, state, rotation, pass } = place([noAd(30)]);
  await pass(10);
  rotation.wake();
  state.visible = false;
  await pass(60);
  expect(askedAt).toEqual([0]);
  state.visible = true;
  rotation.wake();
  await pass(1);
  expect(askedAt).toEqual([0, 70]);
});

test("a place that becomes visible again and again requests no ad before its backoff has passed", async () => {
  const { askedAt, state, rotation, pass } = place([turnWithout("no_ad"), failed, noAd(30)]);
  for (let second = 0; second < 60; second += 1) {
    await pass(1);
    state.visible = !state.visible;
    if (state.visible) rotation.wake();
  }
  // The delay of the second failure is 3 seconds.
  expect(askedAt).toEqual([0, 10, 13, 43]);
});

test("a network that is back ends the backoff, but for 10 seconds not that of an ad that nobody has bought", async () => {
  const { askedAt, rotation, pass } = place([failed, failed, turnWithout("no_ad"), turnWithout("no_ad"), noAd(30)]);
  for (const seconds of [1, 1, 5, 5]) {
    await pass(seconds);
    rotation.wake(true);
    // While it asks, it does not ask again.
    rotation.wake(true);
  }
  expect(askedAt).toEqual([0, 1, 2, 12]);
  await pass(20);
  // The delay of the fourth failure is 12 seconds.
  expect(askedAt).toEqual([0, 1, 2, 12, 24]);
});

test("a stopped place requests no more ads", async () => {
  const { askedAt, rotation, pass } = place([noAd(30)]);
  await pass(5);
  rotation.stop();
  rotation.wake();
  await pass(100);
  expect(askedAt).toEqual([0]);
});
