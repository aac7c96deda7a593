import { setTimeout as pause } from "node:timers/promises";
import * as fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { Problem } from "../../../platform/http/problem.ts";
import { silentLog } from "../../../platform/log.ts";
import { SharedRedis } from "../../../platform/redis/shared-redis.ts";
import { NO_REDIS, testRedis } from "../../../platform/testing/test-redis.ts";
import { settleLeftClaims } from "../leftovers.ts";
import { HashSet } from "./hash-set.ts";
import { RedisEvents } from "./redis-events.ts";
import { SeenEvents } from "./seen-events.ts";

const HOUR = 3_600_000;
const LIFE = 24 * HOUR;
const NOW = 1_700_000_000_000;
/** After a start, with room for clocks that differ. */
const LATER = NOW + 10_000;
const kept = async () => {};
const failing = async () => {
  throw new Problem("unavailable", "full");
};

const server = await testRedis();
const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** What the event store has; a test can keep it from answering, or do something after the first part of the answer. */
interface Stored {
  ids: string[];
  isAway?: boolean;
  midway?: () => Promise<void>;
}
async function* read({ ids, isAway = false, midway }: Stored): AsyncGenerator<string> {
  const half = Math.ceil(ids.length / 2);
  yield* ids.slice(0, half);
  await midway?.();
  yield* ids.slice(half);
  if (isAway) throw new Error("the store is away");
}

async function memorySide(stored: Stored): Promise<SeenEvents> {
  const seen = new SeenEvents(NOW, LIFE);
  let isStopped = false;
  ends.push(() => void (isStopped = true));
  const restore = async () => {
    while (!isStopped) {
      if (
        await seen.restore(read(stored)).then(
          () => true,
          () => false,
        )
      )
        return;
      await pause(20);
    }
  };
  if (stored.isAway === true) void restore();
  else await restore();
  return seen;
}

async function connection(of: string): Promise<SharedRedis> {
  if (!server) throw new Error(NO_REDIS);
  const redis = new SharedRedis({ url: server.url, clock: { now: () => NOW }, log: silentLog, prefix: `${of}:` });
  ends.push(() => redis.close());
  await redis.connect();
  return redis;
}

async function redisEvents(stored: Stored, of: string, process: string): Promise<RedisEvents> {
  const redis = await connection(of);
  const stopping = new AbortController();
  const events = new RedisEvents({
    redis,
    process,
    lifeMs: LIFE,
    storedIds: () => read(stored),
    everyoneShipped: async () => undefined,
    stopping: stopping.signal,
    clock: { now: () => NOW },
    log: silentLog,
  });
  events.start();
  ends.push(
    () => events.stop(),
    () => stopping.abort(),
  );
  return events;
}

/** A process of several; `of` names those that share. */
async function redisSide(stored: Stored, of = Math.random().toString(36), process = "one"): Promise<SeenEvents> {
  if (!server) throw new Error(NO_REDIS);
  const seen = new SeenEvents(NOW, LIFE, await redisEvents(stored, of, process));
  if (stored.isAway !== true) await expect.poll(() => seen.has("nothing", NOW - 1).catch(() => "away")).toBe(false);
  return seen;
}

const SIDES = [
  ["in memory", memorySide],
  ["in Redis", redisSide],
] as const;

describe.each(SIDES.slice(0, server ? 2 : 1))("%s", (_, start) => {
  test("of any number of repeats at any time one is kept", async () => {
    const seen = await start({ ids: [] });
    let times = 0;
    const slowly = async () => {
      times++;
      await pause(10);
    };
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => seen.once("a", LATER, slowly)));
    outcomes.push(await seen.once("a", LATER, slowly));
    expect(times).toBe(1);
    expect(outcomes.filter((outcome) => outcome === "kept")).toHaveLength(1);
  });

  test("when it cannot be kept, those who waited are told so, and the next may try", async () => {
    const seen = await start({ ids: [] });
    const results = await Promise.allSettled([1, 2, 3].map(() => seen.once("a", LATER, failing)));
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(await seen.has("a", LATER)).toBe(false);
    expect(await seen.once("a", LATER, kept)).toBe("kept");
  });

  test("of a batch, those that turn out not to count may come again", async () => {
    const seen = await start({ ids: [] });
    const batch = ["a", "b"].map((id) => ({ id, issuedAtMs: LATER }));
    await seen.claim(batch, async () => new Set(["b"]));
    expect([await seen.has("a", LATER), await seen.has("b", LATER)]).toEqual([true, false]);
    expect(await seen.once("b", LATER, kept)).toBe("kept");
  });

  test("events that are only in the store are repeats; until they are read, older tokens wait", async () => {
    const stored: Stored = { ids: ["old"], isAway: true };
    const seen = await start(stored);
    await expect(seen.once("old", NOW - 1, kept)).rejects.toMatchObject({ code: "unavailable" });
    await expect(seen.once("other", NOW - 1, kept)).rejects.toMatchObject({ code: "unavailable" });
    expect(await seen.once("new", LATER, kept)).toBe("kept");
    stored.isAway = false;
    await expect.poll(() => seen.once("old", NOW - 1, kept).catch(() => "away")).toBe("repeated");
    await expect.poll(() => seen.once("other", NOW - 1, kept).catch(() => "away")).toBe("kept");
  });

  test("a clock that was set back between two processes does not make an event new", async () => {
    const seen = await start({ ids: ["made in the future"] });
    expect(await seen.once("made in the future", NOW + HOUR, kept)).toBe("repeated");
  });

  test("a clock that is set back, so that expired tokens are valid again, does not make their events new", async () => {
    const seen = await start({ ids: [] });
    const endOfHour = Math.ceil(LATER / HOUR) * HOUR - 1;
    expect(await seen.once("shown", endOfHour, kept)).toBe("kept");
    // By the clock before it is set back, the token has just expired.
    seen.forget(endOfHour + LIFE + 2);
    expect(await seen.once("shown", endOfHour, kept)).toBe("repeated");
  });

  test("events are forgotten when their tokens have expired, and not before", async () => {
    const seen = await start({ ids: [] });
    for (let hour = 0; hour < 48; hour++) await seen.once(`at ${hour}`, LATER + hour * HOUR, kept);
    seen.forget(NOW + 48 * HOUR);
    expect(seen.size).toBeLessThan(27);
    expect(await seen.has("at 24", LATER + 24 * HOUR)).toBe(true);
  });
});

describe.skipIf(!server)("several processes", () => {
  test("whichever gets a repeat, it is kept once", async () => {
    const all = await Promise.all(["one", "two", "three"].map((name) => redisSide({ ids: [] }, "once", name)));
    let times = 0;
    const slowly = async () => {
      times++;
      await pause(5);
    };
    const tries = Array.from({ length: 300 }, (_, nth) => {
      const once = () => all[nth % 3]!.once(`e${nth % 50}`, LATER, slowly);
      // While another process stores an event, its sender is asked to come again.
      return (async () => {
        for (;;) {
          const outcome = await once().catch(() => "again");
          if (outcome !== "again") return outcome;
          await pause(5);
        }
      })();
    });
    const outcomes = await Promise.all(tries);
    expect([times, outcomes.filter((outcome) => outcome === "kept").length]).toEqual([50, 50]);
  });

  test("a click finds its impression, which another process took", async () => {
    const [one, two] = [await redisSide({ ids: [] }, "clicks", "one"), await redisSide({ ids: [] }, "clicks", "two")];
    expect(await two.has("shown", LATER)).toBe(false);
    await one.once("shown", LATER, kept);
    await expect.poll(() => two.has("shown", LATER)).toBe(true);
  });

  test("what a killed process was storing counts once, as its journal says", async () => {
    const journal: Stored = { ids: [] };
    const one = await redisEvents(journal, "killed", "one");
    const two = await redisSide(journal, "killed", "two");
    await one.claim(["written", "lost"].map((id) => ({ id, issuedAtMs: LATER })));
    await expect(two.once("written", LATER, kept)).rejects.toMatchObject({ code: "unavailable" });
    journal.ids.push("written");
    await redisSide(journal, "killed", "one");
    await expect.poll(() => two.once("written", LATER, kept).catch(() => "deferred")).toBe("repeated");
    await expect.poll(() => two.once("lost", LATER, kept).catch(() => "deferred")).toBe("kept");
  });

  test("the claims of a process that does not run any more are settled by another, as its journal says", async () => {
    const journal: Stored = { ids: [] };
    const two = await redisSide(journal, "removed", "two");
    const one = await redisEvents(journal, "removed", "one");
    await one.claim(["written", "lost"].map((id) => ({ id, issuedAtMs: LATER })));
    await expect(two.once("written", LATER, kept)).rejects.toMatchObject({ code: "unavailable" });
    journal.ids.push("written");
    await settleLeftClaims("one", await connection("removed"), () => read(journal), NOW);
    expect(await two.once("written", LATER, kept)).toBe("repeated");
    expect(await two.once("lost", LATER, kept)).toBe("kept");
  });

  test("a claim whose answer came too late does not keep others from storing the event", async () => {
    const [one, two] = [await redisSide({ ids: [] }, "late", "one"), await redisSide({ ids: [] }, "late", "two")];
    await server?.pause(1500);
    let times = 0;
    await expect(one.once("late", LATER, async () => void times++)).rejects.toMatchObject({ code: "unavailable" });
    await expect.poll(() => two.once("late", LATER, kept).catch(() => "deferred")).toBe("kept");
    expect(times).toBe(0);
  });

  test("a release that comes late leaves a newer claim alone", async () => {
    const [one, two] = [await redisEvents({ ids: [] }, "newer", "one"), await redisSide({ ids: [] }, "newer", "two")];
    const event = { id: "again", issuedAtMs: LATER };
    const first = await one.claim([event]);
    first.settle([], [event]);
    const second = await one.claim([event]);
    first.settle([], [event]);
    await expect(two.once("again", LATER, kept)).rejects.toMatchObject({ code: "unavailable" });
    second.settle([event], []);
    await expect.poll(() => two.once("again", LATER, kept).catch(() => "deferred")).toBe("repeated");
  });

  test("without Redis nothing is acknowledged; a Redis that comes back empty makes nothing new", async () => {
    const journal: Stored = { ids: [] };
    const one = await redisSide(journal, "lost", "one");
    const two = await redisSide(journal, "lost", "two");
    const store = async () => void journal.ids.push("a");
    expect(await one.once("a", NOW - 1, store)).toBe("kept");
    await server?.kill();
    await expect(two.once("a", NOW - 1, kept)).rejects.toMatchObject({ code: "unavailable" });
    await expect(two.once("b", NOW - 1, kept)).rejects.toMatchObject({ code: "unavailable" });
    await server?.start();
    const retried = (id: string) => two.once(id, NOW - 1, kept).catch(() => "deferred");
    await expect.poll(() => retried("a")).toBe("repeated");
    await expect.poll(() => retried("b")).toBe("kept");
    await expect.poll(() => one.once("b", NOW - 1, kept).catch(() => "deferred")).toBe("repeated");
  });

  test("a Redis that restarts while its events are restored gets all of them", async () => {
    // More than are written at once, so that some are there before the restart.
    const stored: Stored = { ids: Array.from({ length: 12_000 }, (_, nth) => `old ${nth}`), isAway: true };
    const seen = await redisSide(stored, "restarted");
    let reads = 0;
    stored.midway = async () => {
      if (++reads > 1) return;
      await server?.kill();
      await server?.start();
      await expect.poll(() => seen.once("new", LATER, kept).catch(() => "away")).not.toBe("away");
    };
    stored.isAway = false;
    await expect.poll(() => seen.once("old 11999", NOW - 1, kept).catch(() => "away")).toBe("repeated");
    expect(await seen.once("old 0", NOW - 1, kept)).toBe("repeated");
    expect(reads).toBe(2);
  });
});

test("the set equals a set of strings", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 20 }), { maxLength: 3000 }), (texts) => {
      const [mine, real] = [new HashSet(), new Set<string>()];
      for (const text of texts) {
        expect(mine.add(text)).toBe(!real.has(text));
        real.add(text);
      }
      expect(mine.size).toBe(real.size);
      for (const text of texts) expect(mine.has(text)).toBe(true);
      expect(mine.has("not in it, as it is longer than twenty")).toBe(false);
    }),
    { numRuns: 50 },
  );
});

test("a million ids are told apart", () => {
  const set = new HashSet();
  for (let n = 0; n < 1_000_000; n++) set.add(`i${n.toString(36)}`);
  expect(set.size).toBe(1_000_000);
  expect(set.has("i-1")).toBe(false);
});
