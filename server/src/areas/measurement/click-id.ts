import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { FORMATS, type Format, PLATFORMS, type Platform } from "@millrace/contract";

/** What a click id says of the ad that was clicked or shown. */
export interface ClickFacts {
  kind: "click" | "view";
  /** The ad's own id, which its click and its impression share: 12 bytes in base64url. */
  ad: string;
  campaignId: number;
  creativeId: number;
  /** The app that showed the ad. */
  appId: number;
  /** When it was clicked or shown; to the second. */
  atMs: number;
  format: Format;
  country: string;
  platform: Platform;
  /** The part of an experiment; empty without one. */
  arm: string;
  demo: boolean;
  /** Its postbacks are checked, and never counted. */
  test: boolean;
}

/** The parts of experiments, in the order of their numbers in click ids. */
const ARMS = ["", "even", "held", "learned"] as const;

/** Signs and opens click ids. */
export interface ClickIds {
  sign(facts: ClickFacts): string;
  /** Null if the text is not one of ours. Does not check its age. */
  open(text: string): ClickFacts | null;
  /** Proves that a postback for the install after this click comes from the click's own link; empty for a text that is no click id. */
  installSignature(clickId: string): string;
}

interface Key {
  id: string;
  key: KeyObject;
}

const AD_BYTES = 12;
const PACKED_BYTES = AD_BYTES + 22;
const TAG_BYTES = 16;
const VIEW = 1;
const DEMO = 2;
const TEST = 4;

/**
 * Click ids of 74 characters: which secret, then the facts and a signature in base64url. They fit every provider's link, and
 * opening one needs no store. The first secret signs, all of them verify.
 */
export function clickIds(secrets: readonly string[]): ClickIds {
  const keys = secrets.map(keyOf);
  const byId = new Map(keys.map((key) => [key.id, key.key]));
  const [current] = keys;
  if (!current) throw new RangeError("There is no secret to sign click ids with");
  return {
    sign(facts) {
      const packed = pack(facts);
      return `${current.id}.${Buffer.concat([packed, tagOf(current.key, packed)]).toString("base64url")}`;
    },
    open(text) {
      const end = text.indexOf(".");
      const key = byId.get(text.slice(0, Math.max(0, end)));
      const bytes = Buffer.from(text.slice(end + 1), "base64url");
      if (!key || bytes.length !== PACKED_BYTES + TAG_BYTES) return null;
      const packed = bytes.subarray(0, PACKED_BYTES);
      return timingSafeEqual(bytes.subarray(PACKED_BYTES), tagOf(key, packed)) ? unpack(packed) : null;
    },
    installSignature(clickId) {
      const key = byId.get(clickId.slice(0, Math.max(0, clickId.indexOf("."))));
      return key ? tagOf(key, Buffer.from(`install ${clickId}`)).toString("base64url") : "";
    },
  };
}

const keyOf = (secret: string): Key => ({
  id: createHash("sha256").update(`click id ${secret}`).digest("base64url").slice(0, 6),
  key: createSecretKey(createHmac("sha256", secret).update("millrace click id").digest()),
});

const tagOf = (key: KeyObject, packed: Buffer): Buffer =>
  createHmac("sha256", key).update(packed).digest().subarray(0, TAG_BYTES);

function pack(facts: ClickFacts): Buffer {
  const bytes = Buffer.alloc(PACKED_BYTES);
  Buffer.from(facts.ad, "base64url").copy(bytes, 0, 0, AD_BYTES);
  let at = AD_BYTES;
  for (const number of [facts.campaignId, facts.creativeId, facts.appId, Math.floor(facts.atMs / 1000)])
    at = bytes.writeUInt32BE(number, at);
  const flags = (facts.kind === "view" ? VIEW : 0) | (facts.demo ? DEMO : 0) | (facts.test ? TEST : 0);
  const arm = Math.max(0, (ARMS as readonly string[]).indexOf(facts.arm));
  for (const number of [flags, FORMATS.indexOf(facts.format), PLATFORMS.indexOf(facts.platform), arm])
    at = bytes.writeUInt8(number, at);
  bytes.write(facts.country.slice(0, 2), at, "latin1");
  return bytes;
}

function unpack(bytes: Buffer): ClickFacts | null {
  const number = (place: number) => bytes.readUInt32BE(AD_BYTES + 4 * place);
  const small = (place: number) => bytes.readUInt8(AD_BYTES + 16 + place);
  const [flags, format, platform, arm] = [small(0), FORMATS[small(1)], PLATFORMS[small(2)], ARMS[small(3)]];
  if (format === undefined || platform === undefined || arm === undefined) return null;
  return {
    kind: (flags & VIEW) === 0 ? "click" : "view",
    ad: bytes.subarray(0, AD_BYTES).toString("base64url"),
    campaignId: number(0),
    creativeId: number(1),
    appId: number(2),
    atMs: number(3) * 1000,
    format,
    country: bytes.subarray(AD_BYTES + 20).toString("latin1"),
    platform,
    arm,
    demo: (flags & DEMO) !== 0,
    test: (flags & TEST) !== 0,
  };
}
