import { readFile } from "node:fs/promises";
import type { AnswerVector, DebugVector, requestVectors } from "@millrace/contract/sdk-vectors";
import { VECTOR_REQUEST } from "@millrace/contract/sdk-vectors";
import type { CoreOptions, Outgoing, SdkEvent } from "@millrace/sdk/core";
import { expect, test, vi } from "vitest";
import { openHasty } from "./testing/open-native.ts";

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(`../../sdk/vectors/${name}`, import.meta.url), "utf8")) as unknown;
const [answers, requests, debugs] = (await Promise.all(["answers.json", "requests.json", "debug.json"].map(read))) as [
  AnswerVector[],
  ReturnType<typeof requestVectors>,
  DebugVector[],
];
const AWAITED = { timeout: 30_000 };
const OPTIONS = { app: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", endpoint: "https://ads.example.com" };

type Answer = AnswerVector["init"];

/** The SDK on these answers, with what it sends and tells. */
async function replay(init: Answer, ad: Answer, options: Partial<CoreOptions> = {}) {
  const sent: Outgoing[] = [];
  const told: SdkEvent[] = [];
  const millrace = openHasty(async (request) => {
    sent.push(request);
    const { status, json } = request.url.endsWith("/sdk/v1/init")
      ? init
      : request.url.endsWith("/sdk/v1/ad")
        ? ad
        : { status: 204, json: undefined };
    return { status, json, retryAfterMs: null };
  });
  const onEvent = (event: SdkEvent) => void told.push(event);
  await millrace.initialize({
    ...OPTIONS,
    platform: "android",
    device: { os: "android" },
    logLevel: "none",
    onEvent,
    ...options,
  });
  const bodyOf = (path: string) =>
    JSON.parse(sent.find(({ url }) => url.endsWith(path))?.body ?? "null") as Record<string, unknown>;
  return { millrace, sent, told, bodyOf };
}

// Vectors with adapters are for SDKs that have some.
test.each(answers.filter((vector) => !("adapters" in vector)))(
  "$name: $ends",
  async ({ init, ad, ends, told, beacons = [] }) => {
    const { millrace, sent, told: heard } = await replay(init, ad);
    const loading = await millrace.loadAd(VECTOR_REQUEST);
    expect(loading.ok ? "loaded" : loading.code).toBe(ends);
    const shown = loading.ok ? await millrace.showAd(VECTOR_REQUEST.zone) : null;
    expect(shown?.ok ?? false).toBe(told !== undefined);
    if (told) {
      const { price_micros: priceMicros, reward, provider, ...info } = told;
      const one = (type: string) => heard.filter((event) => event.type === type);
      expect(one("revenuePaid")).toMatchObject([{ ...info, priceMicros }]);
      expect(Object.values(one("revenuePaid")[0] ?? {})).toContain(provider);
      expect(one("rewardReceived")).toMatchObject([{ reward }]);
    }
    const called = () => sent.flatMap(({ url }) => (url.includes("/beacon/") ? [url] : [])).toSorted();
    await vi.waitFor(() => expect(called()).toEqual(beacons.toSorted()), AWAITED);
    millrace.shutdown();
  },
);

test.each(requests)("sends: $name", async ({ device, consent, request, sends }) => {
  const good = answers.find(({ ends }) => ends === "loaded")?.init ?? expect.fail("no vector is loaded");
  const given = { device: device as CoreOptions["device"], consent };
  const { millrace, bodyOf } = await replay(good, { status: 500, json: undefined }, given);
  const { user_id: userId, custom_data: customData, ...place } = request as Record<string, string>;
  await millrace.loadAd({
    ...place,
    ...(userId !== undefined && { userId }),
    ...(customData !== undefined && { customData }),
  } as typeof VECTOR_REQUEST);
  // React Native tells the window's size beside what the app gives.
  const screen = { w: 1080, h: 2400, pxratio: 2.625 };
  expect(bodyOf("/sdk/v1/init")).toMatchObject(sends.init);
  expect(bodyOf("/sdk/v1/init")["device"]).toEqual(expect.objectContaining(screen));
  const { device: sentDevice, ...ad } = bodyOf("/sdk/v1/ad");
  const { device: likeDevice, ...like } = sends.ad as Record<string, unknown>;
  expect(ad).toEqual({ session: expect.any(String), w: 411, h: 914, ...like });
  expect(sentDevice).toEqual({ osv: "15", ...screen, ...(likeDevice as object) });
  millrace.shutdown();
});

test.each(debugs)("debug report: $name", async ({ json, reads }) => {
  const millrace = openHasty(async ({ url }) => {
    const answer = url.endsWith("/sdk/v1/debug") ? json : answers.find(({ ends }) => ends === "loaded")?.init.json;
    return { status: 200, json: answer, retryAfterMs: null };
  });
  await millrace.initialize({ ...OPTIONS, logLevel: "none" });
  const told = await millrace.debugReport("a token");
  expect(told).toEqual(
    reads === null ? expect.objectContaining({ ok: false, code: "bad_reply" }) : { ok: true, report: reads },
  );
  millrace.shutdown();
});
