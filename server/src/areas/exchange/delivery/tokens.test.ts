import { type KeyObject, createHmac } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type AdFacts, BEACON_KINDS, openToken, signAd } from "./beacon-token.ts";
import { openDestination, signedDestination } from "./click-destination.ts";
import { deviceHash, keyringOf } from "./secrets.ts";
import { openSession, SESSION_LIFE_SECONDS, signSession } from "./session-token.ts";

const facts: AdFacts = {
  auctionId: "0b0e7c0e-5b1c-4b6e-9f0a-0d6a4b8b1c11",
  impId: 'imp "1"\n',
  candidateId: "0:0",
  appId: 7,
  zone: "main_menu",
  format: "banner",
  country: "DE",
  platform: "android",
  provider: "north",
  creative: "c/1",
  device: "18446744073709551615",
  firstDay: 19_675,
  sdkVersion: "1.0.0",
  priceMicros: 1_234_567,
  revenueMicros: 988,
  issuedAtMs: 1_700_000_000_123,
  expiresAtMs: 1_700_086_400_123,
  demo: true,
  test: false,
  campaign: null,
};
const old = keyringOf(["the old secret of at least 32 bytes"]);
const both = keyringOf(["the new secret of at least 32 bytes", "the old secret of at least 32 bytes"]);
const fresh = keyringOf(["the new secret of at least 32 bytes"]);

test("a token opens to the facts it was signed with", () => {
  const tokens = signAd(both, facts);
  for (const kind of BEACON_KINDS) expect(openToken(both, kind, tokens[kind])?.facts).toEqual(facts);
});

test("a campaign's ad says whose money it takes, and how much", () => {
  const campaign = { id: 12, creativeId: 34, leaseId: "lease-1", costMicros: 1235, arm: "held", deviceSha1: "" };
  const tokens = signAd(both, { ...facts, campaign }, { billing: "https://shop.example/seen" });
  const opened = openToken(both, "impression", tokens.impression);
  expect(opened?.facts).toEqual({ ...facts, campaign });
  expect(opened?.onImpression).toEqual({ billing: "https://shop.example/seen" });
  expect(openToken(both, "click", tokens.click)?.facts).toEqual({ ...facts, campaign });
});

test("tokens from before there were campaigns open for their day", () => {
  const [impression, click] = [
    "tOuHY6.u8UqDCXoAAAAAAAAs0opxjuzD_VaeCzVJy1_MIRdR41yfctgiocoOgzUxI9rVJz9X8KXAigSKh0g3TDFG-JrrpQTvS-5szKgUK6XMMYk4_Nimt3hBsu30qPj0CQLD0_r5eYbg0AzEdh1O7AeMm-imZdTv2JiqHGiGt6KFbMCf1IvykJ-DGBZGqwa5hN_w5SZfCEoxKZ5eaPH4raPLCcYXskoenT6TkCedQu-OhdBSV_jZhgCJwTAiXBCyYt6FslPbzdAcXx-e3xaCvccVVMl_5ksVp6Rw0hETykVLmy2kWwziQcV7IPLqxQJDGZ7_EA",
    "tOuHY6.u8UqDCXoAAAAAAAAUVTZucrjWbMr_vDTs7fv9x2QAcm2Le1TpujAuLeL8urz5pNMpUPIS19Dki_jYozFPE88MtPAQx6yFazM1-15PtzunlnNC67POODO2MFOubN8393Dgst5NLEoHfA9vgegpP4J9fGKqyailrgYYP9NiDnh14yIti4Jd4j56EhNDsawE68oJfgXtMMGqRFv0lX897dGb2z2LHFz4Jan97f4AT18WjmttQYEot1cSoTimg_fNvX47A3gO-9OwqRu",
  ] as const;
  const opened = openToken(both, "impression", impression);
  expect(opened?.facts).toEqual(facts);
  expect(opened?.onImpression).toEqual({ billing: "https://north.example/b" });
  expect(openToken(both, "click", click)?.facts).toEqual(facts);
  expect(openToken(both, "click", click)?.eventIds).toEqual(opened?.eventIds);
});

test("a token of one kind is invalid as another", () => {
  const tokens = signAd(both, facts);
  expect(openToken(both, "click", tokens.impression)).toBeNull();
  expect(openToken(both, "impression", tokens.loss)).toBeNull();
});

test("an ad's tokens have the same event ids, which no other ad has", () => {
  const tokens = signAd(both, facts);
  const ids = BEACON_KINDS.map((kind) => openToken(both, kind, tokens[kind])?.eventIds);
  expect(new Set(Object.values(ids[0] ?? {})).size).toBe(BEACON_KINDS.length);
  for (const each of ids) expect(each).toEqual(ids[0]);
  const other = signAd(both, { ...facts, candidateId: "0:1" });
  expect(openToken(both, "click", other.click)?.eventIds.click).not.toBe(ids[0]?.click);
});

test("a token that nobody reads is not sealed", () => {
  const withoutPlayer = { ...both, current: { ...both.current, player: both.device, loss: undefined as never } };
  const tokens = signAd(withoutPlayer, facts);
  expect(openToken(both, "click", tokens.click)?.facts).toEqual(facts);
  expect(() => tokens.loss).toThrow(TypeError);
});

test("a token changed in any one character is refused", () => {
  const token = signAd(both, facts).impression;
  // The last character of base64url has unused bits, so it may change without changing the content.
  for (let at = 0; at < token.length - 1; at++) {
    const changed = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
    expect(openToken(both, "impression", changed)).toBeNull();
    expect(openToken(both, "impression", token.slice(0, at))).toBeNull();
  }
});

test("other texts are not tokens and never throw", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const token of [text, `${both.current.id}.${text}`]) {
        expect(openToken(both, "click", token)).toBeNull();
        expect(openSession(both, token, 0)).toBeNull();
      }
    }),
  );
});

test("a price cannot be raised by combining a payload with another signature", () => {
  const [key, sealed = ""] = signAd(both, facts).impression.split(".");
  const [, other = ""] = signAd(fresh, { ...facts, revenueMicros: 999_999_999 }).impression.split(".");
  const [mine, theirs] = [Buffer.from(sealed, "base64url"), Buffer.from(other, "base64url")];
  // All mixtures of both tokens' nonce, payload and tag.
  for (let mixture = 1; mixture < 7; mixture++) {
    const part = (bit: number, from: number, to?: number) => ((mixture & bit) === 0 ? mine : theirs).subarray(from, to);
    const made = Buffer.concat([part(1, 0, 12), part(2, 12, -16), part(4, -16)]).toString("base64url");
    expect(openToken(both, "impression", `${key}.${made}`)).toBeNull();
  }
});

test("tokens reveal nothing about their ad, and no two ads have similar tokens", () => {
  const secretFacts = { ...facts, zone: "findme", device: "18446744073709551615", priceMicros: 1_234_567 };
  const [first, second] = [
    signAd(both, secretFacts, { billing: "https://bidder.example/findme" }),
    signAd(both, secretFacts),
  ];
  for (const kind of BEACON_KINDS) {
    const bytes = Buffer.from(first[kind].slice(first[kind].indexOf(".") + 1), "base64url");
    for (const told of ["findme", "18446744073709551615", "1234567", "bidder.example", "north"]) {
      expect(bytes.includes(told)).toBe(false);
      expect(first[kind]).not.toContain(Buffer.from(told).toString("base64url").slice(0, 6));
    }
    // The same facts in another ad: only the key's id is the same.
    const [ours, theirs] = [first[kind], second[kind]].map((token) => token.slice(30));
    expect(ours?.slice(0, 40)).not.toBe(theirs?.slice(0, 40));
  }
});

test("only an impression's token has the notices to call when it is counted", () => {
  const calls = { win: "https://bidder.example/win?a=ü", billing: "https://bidder.example/bill" };
  const tokens = signAd(both, facts, calls);
  expect(openToken(both, "impression", tokens.impression)).toMatchObject({ facts, onImpression: calls });
  expect(openToken(both, "click", tokens.click)).toMatchObject({ facts, onImpression: {} });
  expect(openToken(both, "impression", signAd(both, facts).impression)?.onImpression).toEqual({});
});

test("another spelling of a token is the same event", () => {
  for (let nth = 0; nth < 50; nth++) {
    const token = signAd(both, { ...facts, appId: nth }).impression;
    const respelled = token.replaceAll("-", "+").replaceAll("_", "/");
    expect(openToken(both, "impression", respelled)?.eventIds).toEqual(openToken(both, "impression", token)?.eventIds);
  }
});

test("when secrets rotate, the old one's tokens stay valid until it is removed", () => {
  const signedBefore = signAd(old, facts).click;
  expect(openToken(both, "click", signedBefore)?.facts).toEqual(facts);
  expect(openToken(both, "click", signAd(both, facts).click)?.facts).toEqual(facts);
  expect(openToken(fresh, "click", signAd(both, facts).click)?.facts).toEqual(facts);
  expect(openToken(fresh, "click", signedBefore)).toBeNull();
});

test("a device's hash does not change while secrets rotate, and does not reveal its id", () => {
  expect(deviceHash(both, "AB-1")).toBe(deviceHash(old, "ab-1"));
  expect(deviceHash(both, "ab-1")).not.toBe(deviceHash(fresh, "ab-1"));
  expect(BigInt(deviceHash(both, "ab-1"))).toBeLessThan(2n ** 64n);
});

test("a session token is valid for a day, and only unchanged", () => {
  const about = {
    appId: 7,
    platform: "ios",
    sdkVersion: "1.0.0",
    device: "5",
    country: "XX",
    firstDay: 19_675,
    startedAt: 1_700_000_000,
    demo: false,
  } as const;
  const { token, session } = signSession(both, about, "nonce");
  expect(token.length).toBeLessThan(512);
  expect(openSession(both, token, about.startedAt + SESSION_LIFE_SECONDS)).toEqual(session);
  expect(openSession(both, token, about.startedAt + SESSION_LIFE_SECONDS + 1)).toBeNull();
  expect(openSession(fresh, signSession(old, about, "nonce").token, about.startedAt)).toBeNull();
  expect(openSession(both, token.replace(".", ".A"), about.startedAt)).toBeNull();
  expect(signSession(both, about, "other").session.id).not.toBe(session.id);
});

test("another spelling of a session's signature is the same session", () => {
  for (let nth = 0; nth < 50; nth++) {
    const about = {
      appId: nth,
      platform: "ios",
      sdkVersion: "1.0.0",
      device: "5",
      country: "XX",
      firstDay: 0,
    } as const;
    const { token, session } = signSession(both, { ...about, startedAt: 1_700_000_000, demo: false }, "nonce");
    const tagAt = token.lastIndexOf(".");
    const respelled = token.slice(0, tagAt) + token.slice(tagAt).replaceAll("-", "+").replaceAll("_", "/");
    expect(openSession(both, respelled, 1_700_000_000)?.id).toBe(session.id);
  }
});

test("long ids are not cached", () => {
  const before = both.knownDevices.size;
  expect(deviceHash(both, "a".repeat(100_000))).not.toBe(deviceHash(both, "b".repeat(100_000)));
  expect(both.knownDevices.size).toBe(before);
});

test("a click only leads to its signed destination", () => {
  const { click } = signAd(both, facts);
  const url = "https://shop.example.com/a?b=c&d=ü#e".replace("ü", "%C3%BC");
  const query = new URLSearchParams(signedDestination(both, click, url));
  const signature = query.get("s") ?? "";
  expect(query.get("to")).toBe(url);
  expect(openDestination(both, click, url, signature)).toBe(url);
  expect(openDestination(both, click, "https://evil.example.com/", signature)).toBeNull();
  expect(openDestination(both, signAd(both, { ...facts, impId: "2" }).click, url, signature)).toBeNull();
  expect(openDestination(both, click, url, "")).toBeNull();
  for (const bad of ["javascript:alert(1)", "data:text/html,x", "//evil.example.com", "intent://x", "https://a b"]) {
    expect(signedDestination(both, click, bad)).toBe("");
  }
});

/** A token as from an older version: the payload without its last field, signed again. */
function withoutLastField(token: string, key: KeyObject): string {
  const [keyId = "", payload = ""] = token.split(".");
  const packed = (JSON.parse(Buffer.from(payload, "base64url").toString()) as unknown[]).slice(0, -1);
  const signed = `${keyId}.${Buffer.from(JSON.stringify(packed)).toString("base64url")}`;
  const mac = createHmac("sha256", key).update(signed).digest();
  return `${signed}.${mac.subarray(0, 16).toString("base64url")}`;
}

test("session tokens from before first days still open, without a first day", () => {
  const about = {
    appId: 7,
    platform: "ios",
    sdkVersion: "1.0.0",
    device: "5",
    country: "XX",
    startedAt: 1_700_000_000,
    demo: true,
  } as const;
  const { token } = signSession(both, { ...about, firstDay: 19_675 }, "nonce");
  const session = withoutLastField(token, both.current.session);
  expect(openSession(both, session, about.startedAt)).toMatchObject({ ...about, firstDay: 0 });
});
