import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ad, adReply, APP, initReply } from "../testing/protocol-replies.ts";
import { manualClock } from "../testing/manual-clock.ts";
import type { EventName } from "./events.ts";
import { ERROR_CODES, SdkError } from "./failure.ts";
import { fetchTransport } from "./fetch-transport.ts";
import type { Incoming, Transport } from "./host.ts";
import { memoryStorage } from "./memory-storage.ts";
import { createSdk, INITIALIZE_LIMIT_MS } from "./sdk.ts";

const RUNS = 10_000;
const LOAD_LIMIT_MS = 5_000;
const codes = new Set<string>(ERROR_CODES);

/** An honest answer whose fields may be replaced by anything that JSON can hold. */
const bent = (honest: object): fc.Arbitrary<unknown> =>
  fc
    .array(fc.tuple(fc.constantFrom(...Object.keys(honest)), fc.oneof(fc.jsonValue(), fc.constantFrom(...HOSTILE))), {
      maxLength: 3,
    })
    .map((changes) => ({ ...honest, ...Object.fromEntries(changes) }));
const HOSTILE: unknown[] = [-1, 1e308, Number.MAX_SAFE_INTEGER, "x".repeat(5000), [], {}, [null], { length: -1 }, true];

const anAd = ad("https://ads.test", "alpha");
const ads = fc.array(fc.oneof({ weight: 3, arbitrary: bent(anAd) }, fc.jsonValue()), { maxLength: 30 });
const json = fc.oneof(
  { weight: 3, arbitrary: bent(initReply()) },
  { weight: 2, arbitrary: bent(adReply([anAd])) },
  { weight: 3, arbitrary: ads.map((all) => adReply(all as never)) },
  fc.jsonValue({ maxDepth: 4 }),
  fc.constant(undefined),
);

/** Code that is not ours rejects with anything. */
const CUTS = [new Error("reset"), new SdkError("timeout", "late"), "no error", undefined] as Error[];

type Answer = { delayMs: number; status: number; json: unknown } | { delayMs: number; cut: Error };
const delayMs = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  fc.integer({ min: 0, max: 12_000 }),
  fc.constant(Infinity),
);
const answer: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ delayMs, status: fc.constant(200), json }) },
  fc.record({ delayMs, status: fc.constantFrom(0, 204, 301, 302, 400, 401, 404, 410, 429, 500, 503, 999), json }),
  fc.record({
    delayMs,
    cut: fc.constantFrom(...CUTS),
  }),
);
const fate = fc.constantFrom("shows", "null", "throws", "rejects", "never" as const);

test("whatever the server answers, initialize and loadAd end once each, within their limits, with a code", async () => {
  let failures = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(answer, { minLength: 1, maxLength: 4 }),
      fate,
      fc.boolean(),
      async (answers, fate, known) => {
        const clock = manualClock();
        let asked = 0;
        const transport: Transport = ({ timeoutMs }) =>
          new Promise<Incoming>((resolve, reject) => {
            const next = answers[Math.min(asked, answers.length - 1)] ?? expect.fail();
            asked += 1;
            const settle = () =>
              "cut" in next ? reject(next.cut) : resolve({ status: next.status, json: next.json, retryAfterMs: null });
            if (next.delayMs <= timeoutMs) clock.after(next.delayMs, settle);
            else clock.after(timeoutMs, () => reject(new SdkError("timeout", "no answer")));
          });
        const prepare = async () => {
          if (fate === "throws") throw new Error("broken");
          if (fate === "rejects") return Promise.reject(new SdkError("network", "no renderer"));
          if (fate === "never") return new Promise<null>(() => {});
          return fate === "null" ? null : { show: async () => true, destroy() {} };
        };
        const host = { clock, storage: memoryStorage(), transport, random: Math.random };
        const ended: EventName[] = [];
        const sdk = createSdk(
          host,
          () => prepare,
          () => {},
          async () => Promise.reject(new Error("no answer has steps")),
        );
        const starting = sdk.initialize({
          app: APP,
          platform: "android",
          endpoint: "https://ads.test",
          device: { os: "android" },
          ...(known ? {} : { consent: () => new Promise<object>(() => {}) }),
          onEvent: ({ type }) => void (/^(initialize|load)/.test(type) && ended.push(type)),
        });
        const started = await endsWithin(clock, INITIALIZE_LIMIT_MS, starting);
        const loaded = await endsWithin(
          clock,
          LOAD_LIMIT_MS,
          sdk.loadAd({ zone: "home", format: "banner", timeoutMs: LOAD_LIMIT_MS }),
        );
        clock.advance(60_000);
        await turns();
        expect(ended).toEqual([started.ok ? "initialized" : "initializeFailed", loaded.ok ? "loaded" : "loadFailed"]);
        for (const each of [started, loaded]) {
          if (each.ok) continue;
          failures += 1;
          expect([each.code, codes.has(each.code), each.message.length > 0]).toEqual([each.code, true, true]);
        }
        sdk.shutdown();
      },
    ),
    { numRuns: RUNS },
  );
  expect(failures).toBeGreaterThan(RUNS / 2);
}, 240_000);

const turns = async () => {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
};

/** Moves the clock until the promise settles. Fails after the limit. */
async function endsWithin<T>(clock: ReturnType<typeof manualClock>, limitMs: number, work: Promise<T>): Promise<T> {
  let settled = false;
  void work.then(() => (settled = true));
  for (let passed = 0; passed <= limitMs; passed += 250) {
    await turns();
    if (settled) return work;
    clock.advance(250);
  }
  return expect.fail(`not settled within ${limitMs} ms`);
}

test("an answer that never ends is cut off", async () => {
  const endless = new ReadableStream<Uint8Array>({ pull: (to) => to.enqueue(new Uint8Array(1024 * 1024)) });
  const send = fetchTransport(async () => new Response(endless));
  await expect(send({ url: "https://ads.test", timeoutMs: 5000 })).rejects.toMatchObject({ code: "bad_reply" });
});

test("an answer that stops in the middle is a timeout", async () => {
  const send = fetchTransport(async (_, init) => {
    const body = new ReadableStream<Uint8Array>({
      start: (to) => init?.signal?.addEventListener("abort", () => to.error(new Error("aborted"))),
    });
    return new Response(body);
  });
  await expect(send({ url: "https://ads.test", timeoutMs: 50 })).rejects.toMatchObject({ code: "timeout" });
});
