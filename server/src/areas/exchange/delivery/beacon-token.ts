import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";
import { FORMATS, type Format, PLATFORMS, type Platform } from "@millrace/contract";
import type { Keyring, SigningKey } from "./secrets.ts";

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

const VERSION = 2;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Addresses of a bidder, macros filled, to call when its ad's impression has been counted. */
export interface ImpressionNotices {
  /** Only of an ad that was not the first of its answer: the first has won with the answer. */
  win?: string;
  billing?: string;
}

export const NO_NOTICES: ImpressionNotices = {};

/** Tokens of one ad, one for each kind of beacon. */
export type AdTokens = Readonly<Record<BeaconKind, string>>;

/**
 * Seals an ad's facts, once for each kind of beacon: AES-256-GCM under a key of the kind's own, so that neither an ad's
 * script nor anybody on the way reads the price or the device, and no kind's token can be turned into another's.
 * The bidder's notices of the impression travel in that beacon's token, so that they wait for it in no store of ours.
 */
export function signAd({ current }: Keyring, facts: AdFacts, onImpression = NO_NOTICES): AdTokens {
  return new LazyTokens(current, encode(facts), onImpression);
}

/** Seals a token when it is first read, because no markup needs all four. */
class LazyTokens implements AdTokens {
  readonly #nonce = nextNonce();
  readonly #sealed = new Map<BeaconKind, string>();
  readonly #key: SigningKey;
  readonly #packed: Packed;
  readonly #onImpression: ImpressionNotices;
  #text: string | undefined;

  constructor(key: SigningKey, packed: Packed, onImpression: ImpressionNotices) {
    this.#key = key;
    this.#packed = packed;
    this.#onImpression = onImpression;
  }

  get impression(): string {
    return this.#token("impression");
  }

  get click(): string {
    return this.#token("click");
  }

  get loss(): string {
    return this.#token("loss");
  }

  get player(): string {
    return this.#token("player");
  }

  #token(kind: BeaconKind): string {
    let token = this.#sealed.get(kind);
    if (token === undefined) this.#sealed.set(kind, (token = seal(this.#key, kind, this.#nonce, this.#textOf(kind))));
    return token;
  }

  #textOf(kind: BeaconKind): string {
    const { win, billing } = this.#onImpression;
    if (kind === "impression" && (win !== undefined || billing !== undefined)) {
      return JSON.stringify([...this.#packed, this.#onImpression]);
    }
    return (this.#text ??= JSON.stringify(this.#packed));
  }
}

/** A token that is ours. `eventIds` are those of the same ad's beacons: the same token always gives the same ids. */
export interface OpenedToken {
  facts: AdFacts;
  eventIds: Record<BeaconKind, string>;
  onImpression: ImpressionNotices;
}

/** Opens a token of this kind; null for any that we did not seal for it. Whether it has expired is the caller's to ask. */
export function openToken(keyring: Keyring, kind: BeaconKind, token: string): OpenedToken | null {
  const keyEnd = token.indexOf(".");
  const key = keyring.byId.get(token.slice(0, Math.max(0, keyEnd)));
  const sealed = Buffer.from(token.slice(keyEnd + 1), "base64url");
  if (!key || sealed.length <= NONCE_BYTES + TAG_BYTES) return null;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const packed = unseal(key[kind], nonce, sealed);
  const facts = packed && decode(packed);
  if (!facts) return null;
  // The nonce is the ad's own, and of the bytes: the same token spelled otherwise (`+` reads as `-` does) is no other event.
  const id = nonce.toString("base64url");
  return {
    facts,
    eventIds: { impression: `i${id}`, click: `c${id}`, loss: `l${id}`, player: `p${id}` },
    onImpression: packed[19] ?? NO_NOTICES,
  };
}

function seal({ id, ...keys }: SigningKey, kind: BeaconKind, nonce: Buffer, text: string): string {
  const cipher = createCipheriv("aes-256-gcm", keys[kind], nonce, { authTagLength: TAG_BYTES });
  const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${id}.${sealed.toString("base64url")}`;
}

function unseal(key: KeyObject, nonce: Buffer, sealed: Buffer): Packed | null {
  const tagAt = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(tagAt));
  // As bytes: a cipher that is asked for text makes a decoder each time, which costs half as much again.
  const opened = decipher.update(sealed.subarray(NONCE_BYTES, tagAt));
  try {
    decipher.final();
  } catch {
    // The tag does not fit: somebody else's, or changed.
    return null;
  }
  return JSON.parse(opened.toString()) as Packed;
}

// A nonce must never come twice under a key. Random ones would meet after some billions; these are counted, from a start that
// each process draws.
const NONCE_START = randomBytes(NONCE_BYTES / 2);
let nonces = 0;

function nextNonce(): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  NONCE_START.copy(nonce);
  nonce.writeUIntBE(nonces++, NONCE_BYTES / 2, NONCE_BYTES / 2);
  return nonce;
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
  firstDay: number,
  onImpression?: ImpressionNotices,
];

function encode(facts: AdFacts): Packed {
  return [
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
}

/** Only called on what we have sealed ourselves; another version's is not understood. */
function decode(packed: Packed): AdFacts | null {
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
    firstDay: packed[18],
  };
}
