import {
  type AnswerVector,
  answerVectors,
  debugVectors,
  type DebugVector,
  protocolSchema,
  requestVectors,
  VECTOR_REQUEST,
} from "@millrace/contract/sdk-vectors";
import { readFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { SdkError } from "./src/core/failure.ts";
import type { Adapter } from "./src/core/adapters.ts";
import type { Incoming, Outgoing, Transport } from "./src/core/host.ts";
import { memoryStorage } from "./src/core/memory-storage.ts";
import type { CoreOptions } from "./src/core/options.ts";
import type { ShowEvents } from "./src/core/prepared-ad.ts";
import { createSdk } from "./src/core/sdk.ts";
import { readDebugReply } from "./src/debugger/read-debug-reply.ts";
import { orderSteps } from "./src/steps/order-steps.ts";
import { manualClock } from "./src/testing/manual-clock.ts";

const KINDS: readonly string[] = ["html", "mraid", "vast", "native"];
const file = (name: string) => new URL(`vectors/${name}`, import.meta.url);
const answers = JSON.parse(await readFile(file("answers.json"), "utf8").catch(() => "[]")) as AnswerVector[];
const requests = JSON.parse(await readFile(file("requests.json"), "utf8").catch(() => "[]")) as ReturnType<
  typeof requestVectors
>;
const debugs = JSON.parse(await readFile(file("debug.json"), "utf8").catch(() => "[]")) as DebugVector[];

test.each([
  ["protocol.schema.json", protocolSchema()],
  ["answers.json", answerVectors()],
  ["requests.json", requestVectors()],
  ["debug.json", debugVectors()],
])(
  "vectors/%s is what the contract says; `npx vitest run packages/sdk/vectors.test.ts -u` writes it anew",
  async (name, made) => {
    await expect(`${JSON.stringify(made, null, 2)}\n`).toMatchFileSnapshot(file(name).pathname);
  },
);

/** The SDK's core on these answers, with what it sends. */
function replay(answer: (request: Outgoing) => Omit<Incoming, "retryAfterMs">, options: Partial<CoreOptions> = {}) {
  const sent: Outgoing[] = [];
  const told: Record<string, unknown>[] = [];
  const transport: Transport = async (request) => {
    sent.push(request);
    return { ...answer(request), retryAfterMs: null };
  };
  const clock = manualClock();
  const sdk = createSdk<object>(
    { clock, storage: memoryStorage(), transport, random: Math.random },
    () => async (ad) =>
      KINDS.includes(ad.markup.type)
        ? {
            async show(_: object, on: ShowEvents) {
              on.rewarded();
              on.hidden();
              return true;
            },
            destroy() {},
          }
        : null,
    () => {},
    async () => ({ orderSteps }),
  );
  const started = sdk.initialize({
    app: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
    platform: "android",
    endpoint: "https://ads.example.com",
    device: { os: "android" },
    onEvent: (event) => told.push({ ...event }),
    ...options,
  });
  const bodyOf = (path: string) =>
    JSON.parse(sent.find(({ url }) => url.endsWith(path))?.body ?? "null") as Record<string, unknown>;
  return { sdk, clock, started, sent, told, bodyOf };
}

/** An adapter that does as a vector says, and tells everything twice. */
const adapterThat = (does: NonNullable<AnswerVector["adapters"]>[string]): Adapter<object> => ({
  async load() {
    if (does === "throws") throw new Error("a seller's SDK is broken");
    if (does === "silent") await new Promise(() => {});
    if (does === "no_fill") return null;
    return {
      ...(typeof does === "object" && { paidMicros: does.fills.paid_micros }),
      async show(_, on) {
        if (does === "shows_nothing") return false;
        for (const tell of [on.clicked, on.rewarded, on.hidden]) {
          tell();
          tell();
        }
        return true;
      },
    };
  },
});

/** Lets time pass until a call has ended. */
async function inTime<T>(clock: ReturnType<typeof manualClock>, call: Promise<T>): Promise<T> {
  let hasEnded = false;
  void call.finally(() => (hasEnded = true));
  while (!hasEnded) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(100);
  }
  return call;
}

test.each(answers)("$name: $ends", async ({ init, ad, adapters = {}, ends, told, beacons = [] }) => {
  const reply = ({ status, json }: AnswerVector["init"]) => ({ status, json });
  const {
    sdk,
    clock,
    started,
    sent,
    told: heard,
  } = replay(({ url }) =>
    url.endsWith("/sdk/v1/init")
      ? reply(init)
      : url.endsWith("/sdk/v1/ad")
        ? reply(ad)
        : { status: 204, json: undefined },
  );
  await started;
  for (const [name, does] of Object.entries(adapters)) sdk.registerAdapter(name, adapterThat(does));
  const loading = await inTime(clock, sdk.loadAd(VECTOR_REQUEST));
  expect(loading.ok ? "loaded" : loading.code).toBe(ends);
  expect(heard.filter(({ type }) => type === "loaded" || type === "loadFailed")).toHaveLength(1);
  const shown = loading.ok ? await sdk.showAd(VECTOR_REQUEST.zone, {}) : null;
  if (told) {
    const one = (type: string) => heard.filter((event) => event["type"] === type);
    const { price_micros: priceMicros, reward, provider: network, ...info } = told;
    expect(one("revenuePaid")).toMatchObject([{ ...info, network, priceMicros }]);
    expect(one("rewardReceived")).toMatchObject([{ network, reward }]);
  }
  expect(shown?.ok ?? false).toBe(told !== undefined);
  await vi.waitFor(() => {
    clock.advance(1);
    expect(sdk.waiting()).toBe(0);
  });
  const called = sent.filter(({ url }) => url.includes("/beacon/")).map(({ url }) => url);
  expect(called.toSorted()).toEqual(beacons.toSorted());
  sdk.shutdown();
});

test.each(requests)("sends: $name", async ({ device, consent, request, sends }) => {
  const refuse = () => {
    throw new SdkError("network", "no more is needed");
  };
  const good = answers.find(({ ends }) => ends === "loaded")?.init.json;
  const options = { device: device as CoreOptions["device"], consent };
  const { sdk, started, bodyOf } = replay(
    ({ url }) => (url.endsWith("/sdk/v1/init") ? { status: 200, json: good } : refuse()),
    options,
  );
  await started;
  const { user_id: userId, custom_data: customData, ...place } = request as Record<string, string>;
  const given = { ...(userId !== undefined && { userId }), ...(customData !== undefined && { customData }) };
  await sdk.loadAd({ ...place, ...given } as typeof VECTOR_REQUEST);
  const decided = (body: Record<string, unknown>, like: object) =>
    Object.fromEntries(Object.entries(body).filter(([field]) => field in like || !OWN.has(field)));
  expect(decided(bodyOf("/sdk/v1/init"), sends.init)).toEqual(sends.init);
  expect(decided(bodyOf("/sdk/v1/ad"), sends.ad)).toEqual(sends.ad);
  sdk.shutdown();
});

/** What an SDK sends of its own. */
const OWN = new Set(["app", "session", "sdk_version", "install_id", "first_day"]);

test.each(debugs)("debug: $name", ({ json, reads }) => {
  expect(readDebugReply(json)).toEqual(reads);
});
