import { expect, onTestFinished, test, vi } from "vitest";
import { Problem } from "../../platform/http/problem.ts";
import { silentLog } from "../../platform/log.ts";
import { BackgroundWork } from "./background-work.ts";

test("auctions that a full journal refuses are logged once, then counted each minute, and another failure is logged too", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const logged: object[] = [];
  const work = new BackgroundWork({ ...silentLog, error: (facts) => void logged.push(facts) });
  const fail = async (error: Error, times: number) => {
    for (let nth = 0; nth < times; nth++) {
      work.later(() => {
        throw error;
      });
    }
    await work.settled();
  };
  const full = new Problem("unavailable", "Too many events wait to be counted");
  const fault = new TypeError("x is undefined");
  await fail(full, 1000);
  await fail(fault, 1);
  expect(logged).toEqual([{ err: full }, { err: fault }]);
  vi.advanceTimersByTime(60_000);
  expect(logged.slice(2)).toEqual([{ cause: "Too many events wait to be counted", repeats: 999 }]);
  vi.advanceTimersByTime(600_000);
  expect(logged).toHaveLength(3);
  // It is news again.
  await fail(full, 2);
  expect(logged.slice(3)).toEqual([{ err: full }]);
});

test("failures with a text of their own each are no flood either", async () => {
  const logged: object[] = [];
  const work = new BackgroundWork({ ...silentLog, error: (facts) => void logged.push(facts) });
  for (let nth = 0; nth < 1000; nth++) {
    work.later(() => {
      throw new Error(`auction ${nth} is refused`);
    });
  }
  await work.settled();
  expect(logged).toHaveLength(21);
});
