import type { Pool } from "pg";
import { expect, test } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { deferred } from "../../platform/journal/deferred.ts";
import { silentLog } from "../../platform/log.ts";
import { PostbackLog } from "./postback-log.ts";

const ACCEPTED = {
  outcome: "accepted",
  campaignId: 7,
  event: "install",
  transactionId: "",
  kind: "click",
  isTest: false,
} as const;

test("counts that could not be written are written with the next ones, and the end waits for those under way", async () => {
  const written: number[] = [];
  const slow = deferred();
  let writes = 0;
  const query = async (text: string, values: unknown[]) => {
    if (!text.includes("postback_counts")) return;
    writes += 1;
    if (writes === 1) throw new Error("the store is away");
    if (writes === 2) await slow.promise;
    written.push(...(values[4] as number[]));
  };
  const log = new PostbackLog({ pool: { query } as unknown as Pool, clock: systemClock, log: silentLog });
  await log.add(1, ACCEPTED);
  await log.flush();
  await log.add(1, ACCEPTED);
  void log.flush();
  const end = log.flush();
  slow.resolve();
  await end;
  expect([writes, written]).toEqual([2, [2]]);
});
