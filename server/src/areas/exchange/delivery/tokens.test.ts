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
};
const old = keyringOf(["the old secret of at least 32 bytes"]);
const both = keyringOf(["the new secret of at least 32 bytes", "the old secret of at least 32 bytes"]);
const fresh = keyringOf(["the new secret of at least 32 bytes"]);

test("a token opens to the facts it was signed with", () => {
  const tokens = signAd(both, facts);
  for (const kind of BEACON_KINDS) expect(openToken(both, kind, tokens[kind])?.facts).toEqual(facts);
});

test("a token of one kind is worth nothing as another", () => {
  const tokens = signAd(both, facts);
  expect(openToken(both, "click", tokens.impression)).toBeNull();
  expect(openToken(both, "impression", tokens.loss)).toBeNull();
});

test("an ad's tokens agree on its event ids, which are its own", () => {
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
  // The last character of base64url carries bits that mean nothing: it may change, the content may not.
  for (let at = 0; at < token.length - 1; at++) {
    const changed = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
    expect(openToken(both, "impression", changed)).toBeNull();
    expect(openToken(both, "impression", token.slice(0, at))).toBeNull();
  }
});

test("no text is taken for a token, and none makes it throw", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const token of [text, `${both.current.id}.${text}`]) {
        expect(openToken(both, "click", token)).toBeNull();
        expect(openSession(both, token, 0)).toBeNull();
      }
    }),
  );
});

test("a price cannot be raised by putting one's own payload before a signature", () => {
  const [key, sealed = ""] = signAd(both, facts).impression.split(".");
  const [, other = ""] = signAd(fresh, { ...facts, revenueMicros: 999_999_999 }).impression.split(".");
  const [mine, theirs] = [Buffer.from(sealed, "base64url"), Buffer.from(other, "base64url")];
  // Nonce, payload and tag of either side in every mixture.
  for (let mixture = 1; mixture < 7; mixture++) {
    const part = (bit: number, from: number, to?: number) => ((mixture & bit) === 0 ? mine : theirs).subarray(from, to);
    const made = Buffer.concat([part(1, 0, 12), part(2, 12, -16), part(4, -16)]).toString("base64url");
    expect(openToken(both, "impression", `${key}.${made}`)).toBeNull();
  }
});

test("nothing of an ad can be read from its tokens, and no two ads' look alike", () => {
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
    // The same facts, another ad: after the key's id nothing is shared.
    const [ours, theirs] = [first[kind], second[kind]].map((token) => token.slice(30));
    expect(ours?.slice(0, 40)).not.toBe(theirs?.slice(0, 40));
  }
});

test("an impression's token carries what to call when it is counted, and the others nothing", () => {
  const calls = { win: "https://bidder.example/win?a=ü", billing: "https://bidder.example/bill" };
  const tokens = signAd(both, facts, calls);
  expect(openToken(both, "impression", tokens.impression)).toMatchObject({ facts, onImpression: calls });
  expect(openToken(both, "click", tokens.click)).toMatchObject({ facts, onImpression: {} });
  expect(openToken(both, "impression", signAd(both, facts).impression)?.onImpression).toEqual({});
});

test("a token spelled otherwise is the same event", () => {
  for (let nth = 0; nth < 50; nth++) {
    const token = signAd(both, { ...facts, appId: nth }).impression;
    const respelled = token.replaceAll("-", "+").replaceAll("_", "/");
    expect(openToken(both, "impression", respelled)?.eventIds).toEqual(openToken(both, "impression", token)?.eventIds);
  }
});

test("secrets rotate: the old one's tokens live on beside the new one's, and end when it is taken away", () => {
  const signedBefore = signAd(old, facts).click;
  expect(openToken(both, "click", signedBefore)?.facts).toEqual(facts);
  expect(openToken(both, "click", signAd(both, facts).click)?.facts).toEqual(facts);
  expect(openToken(fresh, "click", signAd(both, facts).click)?.facts).toEqual(facts);
  expect(openToken(fresh, "click", signedBefore)).toBeNull();
});

test("a device is the same while secrets rotate, and its id cannot be read from its number", () => {
  expect(deviceHash(both, "AB-1")).toBe(deviceHash(old, "ab-1"));
  expect(deviceHash(both, "ab-1")).not.toBe(deviceHash(fresh, "ab-1"));
  expect(BigInt(deviceHash(both, "ab-1"))).toBeLessThan(2n ** 64n);
});

test("a session opens for a day, and only unchanged", () => {
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

test("a session is the same session however its signature is spelled", () => {
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

test("ids that are sent to fill the memory are not remembered", () => {
  const before = both.knownDevices.size;
  expect(deviceHash(both, "a".repeat(100_000))).not.toBe(deviceHash(both, "b".repeat(100_000)));
  expect(both.knownDevices.size).toBe(before);
});

test("a click leads where it was signed to lead, and nowhere else", () => {
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

/** A token's payload without its last field, signed as an older version of ours would have. */
function withoutLastField(token: string, key: KeyObject): string {
  const [keyId = "", payload = ""] = token.split(".");
  const packed = (JSON.parse(Buffer.from(payload, "base64url").toString()) as unknown[]).slice(0, -1);
  const signed = `${keyId}.${Buffer.from(JSON.stringify(packed)).toString("base64url")}`;
  const mac = createHmac("sha256", key).update(signed).digest();
  return `${signed}.${mac.subarray(0, 16).toString("base64url")}`;
}

test("sessions from before first days were known open still, and know none", () => {
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
