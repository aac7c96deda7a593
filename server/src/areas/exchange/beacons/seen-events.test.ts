import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Problem } from "../../../platform/http/problem.ts";
import { HashSet } from "./hash-set.ts";
import { invalidReason } from "./invalid-traffic.ts";
import { SeenEvents } from "./seen-events.ts";

const HOUR = 3_600_000;
const NOW = 1_700_000_000_000;

async function* ids(...all: string[]): AsyncGenerator<string> {
  yield* all;
}
async function restored(...all: string[]): Promise<SeenEvents> {
  const seen = new SeenEvents(NOW, 24 * HOUR);
  await seen.restore(ids(...all));
  return seen;
}
const kept = async () => {};

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

test("of any number of repeats at any time one is kept", async () => {
  const seen = await restored();
  let times = 0;
  const slowly = async () => {
    times++;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  };
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => seen.once("a", NOW + 1, slowly)));
  outcomes.push(await seen.once("a", NOW + 1, slowly));
  expect(times).toBe(1);
  expect(outcomes.filter((outcome) => outcome === "kept")).toHaveLength(1);
});

test("when it cannot be kept, those who waited are told so, and the next may try", async () => {
  const seen = await restored();
  const failing = async () => {
    throw new Problem("unavailable", "full");
  };
  const results = await Promise.allSettled([1, 2, 3].map(() => seen.once("a", NOW + 1, failing)));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(await seen.has("a", NOW + 1)).toBe(false);
  expect(await seen.once("a", NOW + 1, kept)).toBe("kept");
});

test("events kept by an earlier process are repeats; until they are read, older tokens wait", async () => {
  const seen = new SeenEvents(NOW, 24 * HOUR);
  await expect(seen.once("old", NOW - 1, kept)).rejects.toMatchObject({ code: "unavailable" });
  expect(await seen.once("new", NOW + 1, kept)).toBe("kept");
  await seen.restore(ids("old"));
  expect(await seen.once("old", NOW - 1, kept)).toBe("repeated");
  expect(await seen.once("other", NOW - 1, kept)).toBe("kept");
});

test("a clock that was set back between two processes does not make an event new", async () => {
  const seen = await restored("made in the future");
  expect(await seen.once("made in the future", NOW + HOUR, kept)).toBe("repeated");
});

test("a restoring that breaks off in the middle has not happened", async () => {
  const seen = new SeenEvents(NOW, 24 * HOUR);
  const broken = async function* () {
    yield "a";
    throw new Error("the store is away");
  };
  await expect(seen.restore(broken())).rejects.toThrow("away");
  await expect(seen.once("b", NOW - 1, kept)).rejects.toMatchObject({ code: "unavailable" });
});

test("events are forgotten when their tokens have expired, and not before", async () => {
  const seen = await restored();
  for (let hour = 0; hour < 48; hour++) await seen.once(`at ${hour}`, NOW + 1 + hour * HOUR, kept);
  seen.forget(NOW + 48 * HOUR);
  expect(seen.size).toBeLessThan(27);
  expect(await seen.has("at 24", NOW + 1 + 24 * HOUR)).toBe(true);
});

const valid = {
  kind: "click" as const,
  isTest: false,
  userAgent:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
  ageMs: 5000,
  hasImpression: true,
  ofDevice: 1,
  ofAddress: 1,
};

test.each([
  [{}, null],
  [{ isTest: true }, "test"],
  [{ userAgent: "" }, "user_agent_missing"],
  [{ userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }, "crawler"],
  [{ userAgent: "curl/8.5.0" }, "crawler"],
  [{ userAgent: "okhttp/4.12.0" }, null],
  [{ userAgent: "Puzzle/3.1 CFNetwork/1410.0.3 Darwin/22.6.0" }, null],
  [{ hasImpression: false }, "click_without_impression"],
  [{ ageMs: 50 }, "click_too_fast"],
  [{ kind: "impression" as const, ageMs: 50, hasImpression: false }, null],
  [{ ofDevice: 11 }, "device_flood"],
  [{ kind: "impression" as const, ofDevice: 11 }, null],
  [{ kind: "impression" as const, ofDevice: 121 }, "device_flood"],
  [{ ofAddress: 601 }, "address_flood"],
])("an event with %j is classified %s", (change, reason) => {
  expect(invalidReason({ ...valid, ...change })).toBe(reason);
});
