import { createHmac, timingSafeEqual } from "node:crypto";
import { FORMATS, type Format, PLATFORMS, type Platform } from "@millrace/contract";
import type { Keyring } from "./secrets.ts";

/** What an ad's beacons vouch for. Prices are here and nowhere else: what a request says of money is not read. */
export interface AdFacts {
  auctionId: string;
  impId: string;
  /** Which of the auction's candidates it is. */
  candidateId: string;
  appId: number;
  zone: string;
  format: Format;
  country: string;
  platform: Platform;
  provider: string;
  creative: string;
  /** Keyed hash of the device, decimal. */
  device: string;
  /** When the installation first ran, in days since 1970-01-01; 0 where that is not known. */
  firstDay: number;
  sdkVersion: string;
  /** CPM that the auction cleared at, micro-dollars. */
  priceMicros: number;
  /** The publisher's share for this one impression, micro-dollars. */
  revenueMicros: number;
  issuedAtMs: number;
  expiresAtMs: number;
  demo: boolean;
  /** A test request: recorded, never billed. */
  test: boolean;
}

export const BEACON_KINDS = ["impression", "click", "loss", "player"] as const;
export type BeaconKind = (typeof BEACON_KINDS)[number];

const VERSION = 1;
const TAG_BYTES = 16;
/** Base64url of 16 bytes. */
const TAG_LENGTH = 22;

/** Tokens of one ad, one for each kind of beacon. */
export type AdTokens = Record<BeaconKind, string>;

/**
 * Signs an ad's facts once: HMAC-SHA512 over key id and payload, of which each kind of beacon gets 128 bits of its own. So
 * one signature serves all kinds, and no kind's token can be turned into another's.
 */
export function signAd(keyring: Keyring, facts: AdFacts): AdTokens {
  const signed = `${keyring.current.id}.${encode(facts)}`;
  const mac = createHmac("sha512", keyring.current.beacon).update(signed).digest();
  const token = (kind: BeaconKind) => `${signed}.${tagOf(mac, kind).toString("base64url")}`;
  return { impression: token("impression"), click: token("click"), loss: token("loss"), player: token("player") };
}

/** A token that is ours. `eventIds` are those of the same ad's beacons: the same token always gives the same ids. */
export interface OpenedToken {
  facts: AdFacts;
  eventIds: Record<BeaconKind, string>;
}

/** Opens a token of this kind; null for any that we did not sign for it. Whether it has expired is the caller's to ask. */
export function openToken(keyring: Keyring, kind: BeaconKind, token: string): OpenedToken | null {
  const keyEnd = token.indexOf(".");
  const tagAt = token.length - TAG_LENGTH;
  const key = keyring.byId.get(token.slice(0, Math.max(0, keyEnd)));
  if (!key || tagAt <= keyEnd + 1 || token[tagAt - 1] !== ".") return null;
  const mac = createHmac("sha512", key.beacon)
    .update(token.slice(0, tagAt - 1))
    .digest();
  const claimed = Buffer.from(token.slice(tagAt), "base64url");
  if (claimed.length !== TAG_BYTES || !timingSafeEqual(claimed, tagOf(mac, kind))) return null;
  const facts = decode(token.slice(keyEnd + 1, tagAt - 1));
  if (!facts) return null;
  const id = (of: BeaconKind) => `${of[0] ?? ""}${tagOf(mac, of).toString("base64url").slice(0, 16)}`;
  const eventIds = { impression: id("impression"), click: id("click"), loss: id("loss"), player: id("player") };
  return { facts, eventIds };
}

function tagOf(mac: Buffer, kind: BeaconKind): Buffer {
  const at = BEACON_KINDS.indexOf(kind) * TAG_BYTES;
  return mac.subarray(at, at + TAG_BYTES);
}

type Packed = [
  version: number,
  auctionId: string,
  impId: string,
  candidateId: string,
  appId: number,
  zone: string,
  format: number,
  country: string,
  platform: number,
  provider: string,
  creative: string,
  device: string,
  sdkVersion: string,
  priceMicros: number,
  revenueMicros: number,
  issuedAtMs: number,
  lifeMs: number,
  flags: number,
  /** Missing in tokens of older versions, which still have to open. */
  firstDay?: number,
];

function encode(facts: AdFacts): string {
  const packed: Packed = [
    VERSION,
    facts.auctionId,
    facts.impId,
    facts.candidateId,
    facts.appId,
    facts.zone,
    FORMATS.indexOf(facts.format),
    facts.country,
    PLATFORMS.indexOf(facts.platform),
    facts.provider,
    facts.creative,
    facts.device,
    facts.sdkVersion,
    facts.priceMicros,
    facts.revenueMicros,
    facts.issuedAtMs,
    facts.expiresAtMs - facts.issuedAtMs,
    (facts.demo ? 1 : 0) | (facts.test ? 2 : 0),
    facts.firstDay,
  ];
  return Buffer.from(JSON.stringify(packed)).toString("base64url");
}

/** Only called on payloads that we have signed ourselves; a version of the future is not understood. */
function decode(payload: string): AdFacts | null {
  const packed = JSON.parse(Buffer.from(payload, "base64url").toString()) as Packed;
  const [format, platform] = [FORMATS[packed[6]], PLATFORMS[packed[8]]];
  if (packed[0] !== VERSION || format === undefined || platform === undefined) return null;
  return {
    auctionId: packed[1],
    impId: packed[2],
    candidateId: packed[3],
    appId: packed[4],
    zone: packed[5],
    format,
    country: packed[7],
    platform,
    provider: packed[9],
    creative: packed[10],
    device: packed[11],
    sdkVersion: packed[12],
    priceMicros: packed[13],
    revenueMicros: packed[14],
    issuedAtMs: packed[15],
    expiresAtMs: packed[15] + packed[16],
    demo: (packed[17] & 1) === 1,
    test: (packed[17] & 2) === 2,
    firstDay: packed[18] ?? 0,
  };
}
