import { FORMATS, sdkAd } from "@millrace/contract";
import { expect, test } from "vitest";
import type { Outgoing } from "../core/index.ts";
import { readAdReply } from "../core/protocol.ts";
import { readNative } from "../renderers/native-assets.ts";
import { previewTransport, redirectedTransport, type Source } from "./redirected-transport.ts";

const ENDPOINT = "https://ads.example.com";
const AUCTION = "0b8f0a0e-5a5e-4d0c-9c53-6f6b1f0f7a11";

function redirected(source: Source | null) {
  const sent: Outgoing[] = [];
  const send = async (request: Outgoing) => {
    sent.push(request);
    return { status: 200, json: { passed: true }, retryAfterMs: null };
  };
  const transport = redirectedTransport(
    send,
    ENDPOINT,
    () => source,
    () => AUCTION,
  );
  const ask = (body: unknown) =>
    transport({ url: `${ENDPOINT}/sdk/v1/ad`, body: JSON.stringify(body), timeoutMs: 1000 });
  return { sent, send, transport, ask };
}

test.each(FORMATS)(
  "a fake %s ad is an answer that the SDK accepts, worth nothing, and nothing is sent",
  async (format) => {
    const { ask, sent } = redirected({ kind: "fake" });
    const { json } = await ask({ session: "s", zone: "z", format, w: 320, h: 50 });
    const read = readAdReply(sdkAd.reply.parse(json));
    expect(read?.ads).toMatchObject([{ provider: "debugger", format, revenue_micros: 0 }]);
    if (format === "native") expect(readNative(read?.ads[0]?.markup.content ?? "")?.assets.title).toBe("Test ad");
    expect(sent).toEqual([]);
  },
);

test("a fake ad's beacons are answered on the page, also after the source has changed", async () => {
  const fake = redirected({ kind: "fake" });
  const { json } = await fake.ask({ session: "s", zone: "z", format: "banner" });
  const beacons = readAdReply(json)?.ads[0]?.beacons;
  const later = redirected(null);
  for (const url of [beacons?.impression, beacons?.click, beacons?.loss]) {
    expect((await later.transport({ url: url ?? "", timeoutMs: 1000 })).status).toBe(204);
  }
  expect(later.sent).toEqual([]);
});

test("an auction's request becomes a test with the token, for one provider or for all", async () => {
  const { ask, sent } = redirected({ kind: "auction", token: "t", provider: "cedar" });
  await ask({ session: "s", zone: "z", format: "banner", adapters: ["Larch"] });
  const all = redirected({ kind: "auction", token: "t", provider: null });
  await all.ask({ session: "s", zone: "z", format: "banner" });
  expect([sent, all.sent].map(([request]) => JSON.parse(request?.body ?? "") as unknown)).toEqual([
    {
      session: "s",
      zone: "z",
      format: "banner",
      adapters: ["Larch"],
      test: 1,
      debug: { token: "t", provider: "cedar" },
    },
    { session: "s", zone: "z", format: "banner", test: 1, debug: { token: "t" } },
  ]);
});

test("without a source, and for every other call, requests pass unchanged", async () => {
  const body = JSON.stringify({ session: "s" });
  const init = { url: `${ENDPOINT}/sdk/v1/init`, body, timeoutMs: 1000 };
  const { transport, sent } = redirected({ kind: "fake" });
  await transport(init);
  expect(sent).toEqual([init]);
  const off = redirected(null);
  await off.ask({ session: "s" });
  expect(off.sent).toEqual([{ url: `${ENDPOINT}/sdk/v1/ad`, body, timeoutMs: 1000 }]);
});

test("a request that cannot be read, or for a format that nobody knows, gets no fake ad", async () => {
  const { transport, ask, sent } = redirected({ kind: "fake" });
  expect((await ask({ format: "hologram" })).status).toBe(400);
  await transport({ url: `${ENDPOINT}/sdk/v1/ad`, body: "{", timeoutMs: 1000 });
  expect(sent).toHaveLength(1);
});

test("the debugger's own ads begin no session: they are asked for in the app's", async () => {
  const { send, sent } = redirected(null);
  let session: string | null = null;
  const preview = previewTransport(send, ENDPOINT, () => session);
  const started = await preview({ url: `${ENDPOINT}/sdk/v1/init`, body: "{}", timeoutMs: 1000 });
  expect(started).toMatchObject({ status: 200, json: { session: "none" } });
  expect((await preview({ url: `${ENDPOINT}/sdk/v1/ping`, body: "{}", timeoutMs: 1000 })).status).toBe(204);
  expect(sent).toEqual([]);
  session = "the-app's";
  await preview({ url: `${ENDPOINT}/sdk/v1/ad`, body: `{"session":"none","zone":"z"}`, timeoutMs: 1000 });
  expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ session: "the-app's", zone: "z" });
});
