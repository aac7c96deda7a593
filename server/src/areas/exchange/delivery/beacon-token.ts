import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";
import { FORMATS, type Format, PLATFORMS, type Platform } from "@millrace/contract";
import type { Keyring, SigningKey } from "./secrets.ts";

/** The facts in an ad's beacon tokens, and the only source of prices: amounts in requests are never read. */
export interface AdFacts {
  auctionId: string;
  impId: string;
  /** The auction's candidate. */
  candidateId: string;
  appId: number;
  zone: string;
  format: Format;
  country: string;
  platform: Platform;
  provider: string;
  creative: string;
  /** The device's keyed hash, as a decimal string. */
  device: string;
  /** When the installation first ran, in days since 1970-01-01; 0 if unknown. */
  firstDay: number;
  sdkVersion: string;
  /** The auction's clearing price as CPM. */
  priceMicros: number;
  /** The publisher's share for this impression. */
  revenueMicros: number;
  issuedAtMs: number;
  expiresAtMs: number;
  demo: boolean;
  /** A test is recorded but never billed. */
  test: boolean;
  /** Of a campaign's ad, in-house ones too; null for any other. */
  campaign: CampaignFacts | null;
}

/** Whose money an impression takes. */
export interface CampaignFacts {
  id: number;
  creativeId: number;
  /** The part of the campaign's budget that was reserved for it; empty for a test and for an in-house ad, which is free. */
  leaseId: string;
  /** What the advertiser pays for the impression, in micro-dollars. */
  costMicros: number;
  /** The part of an experiment; empty without one. */
  arm: string;
  /** Of the advertising id, if a link of the campaign asks for it and privacy allows it; else empty. */
  deviceSha1: string;
}

export const BEACON_KINDS = ["impression", "click", "loss", "player"] as const;
export type BeaconKind = (typeof BEACON_KINDS)[number];

const VERSION = 3;
/** Tokens made before there were campaigns, which live for a day. */
const FORMER_VERSION = 2;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A bidder's notice addresses, with macros expanded, to call when its ad's impression is counted. */
export interface ImpressionNotices {
  /** Only for an ad that was not the first one returned; the first ad's win notice is sent with the response. */
  win?: string;
  billing?: string;
}

export const NO_NOTICES: ImpressionNotices = {};

/** Tokens of one ad, one for each kind of beacon. */
export type AdTokens = Readonly<Record<BeaconKind, string>>;

/**
 * Seals an ad's facts, once for each kind of beacon, with AES-256-GCM and a separate key for each kind. Nobody else can read
 * the price or the device, and a token of one kind cannot be turned into another's. The bidder's notices for the impression
 * are in that beacon's token, so that they need no store.
 */
export function signAd({ current }: Keyring, facts: AdFacts, onImpression = NO_NOTICES): AdTokens {
  return new LazyTokens(current, encode(facts), onImpression);
}

/** Seals each token on demand, because no markup needs all four. */
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

/** An opened token. `eventIds` are those of all of the ad's beacons; the same token always gives the same ids. */
export interface OpenedToken {
  facts: AdFacts;
  eventIds: Record<BeaconKind, string>;
  onImpression: ImpressionNotices;
}

/** Opens a token of this kind; null if it is not ours. Does not check whether it has expired. */
export function openToken(keyring: Keyring, kind: BeaconKind, token: string): OpenedToken | null {
  const keyEnd = token.indexOf(".");
  const key = keyring.byId.get(token.slice(0, Math.max(0, keyEnd)));
  const sealed = Buffer.from(token.slice(keyEnd + 1), "base64url");
  if (!key || sealed.length <= NONCE_BYTES + TAG_BYTES) return null;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const packed = unseal(key[kind], nonce, sealed);
  const facts = packed && decode(packed);
  if (!facts) return null;
  // From the decoded bytes, so that another spelling of a token (`+` decodes like `-`) is the same event.
  const id = nonce.toString("base64url");
  return {
    facts,
    eventIds: { impression: `i${id}`, click: `c${id}`, loss: `l${id}`, player: `p${id}` },
    onImpression: noticesIn(packed) ?? NO_NOTICES,
  };
}

function seal({ id, ...keys }: SigningKey, kind: BeaconKind, nonce: Buffer, text: string): string {
  const cipher = createCipheriv("aes-256-gcm", keys[kind], nonce, { authTagLength: TAG_BYTES });
  const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${id}.${sealed.toString("base64url")}`;
}

function unseal(key: KeyObject, nonce: Buffer, sealed: Buffer): Packed | FormerPacked | null {
  const tagAt = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(tagAt));
  // As bytes: a cipher that is asked for text makes a decoder each time, which costs half as much again.
  const opened = decipher.update(sealed.subarray(NONCE_BYTES, tagAt));
  try {
    decipher.final();
  } catch {
    // The tag does not match: the token is not ours, or was changed.
    return null;
  }
  return JSON.parse(opened.toString()) as Packed | FormerPacked;
}

// A nonce must never repeat under a key. Random ones would collide after some billions, so these are counted from a random
// start in each process.
const NONCE_START = randomBytes(NONCE_BYTES / 2);
let nonces = 0;

function nextNonce(): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  NONCE_START.copy(nonce);
  nonce.writeUIntBE(nonces++, NONCE_BYTES / 2, NONCE_BYTES / 2);
  return nonce;
}

type PackedFacts = [
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
];
type PackedCampaign = [
  id: number,
  creativeId: number,
  leaseId: string,
  costMicros: number,
  arm?: string,
  /** Missing where it is empty, as `arm` in older tokens. */
  deviceSha1?: string,
];
type Packed = [
  version: typeof VERSION,
  ...facts: PackedFacts,
  campaign: PackedCampaign | 0,
  onImpression?: ImpressionNotices,
];
type FormerPacked = [version: typeof FORMER_VERSION, ...facts: PackedFacts, onImpression?: ImpressionNotices];

const noticesIn = (packed: Packed | FormerPacked) => (packed[0] === VERSION ? packed[20] : packed[19]);

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
    facts.campaign === null ? 0 : packCampaign(facts.campaign),
  ];
}

function packCampaign({ id, creativeId, leaseId, costMicros, arm, deviceSha1 }: CampaignFacts): PackedCampaign {
  return deviceSha1 === ""
    ? [id, creativeId, leaseId, costMicros, arm]
    : [id, creativeId, leaseId, costMicros, arm, deviceSha1];
}

/** Decodes facts that we have sealed; null if they are from another version. */
function decode(packed: Packed | FormerPacked): AdFacts | null {
  const [format, platform] = [FORMATS[packed[6]], PLATFORMS[packed[8]]];
  const isKnown = packed[0] === VERSION || packed[0] === FORMER_VERSION;
  if (!isKnown || format === undefined || platform === undefined) return null;
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
    campaign: packed[0] === VERSION ? campaignOf(packed[19]) : null,
  };
}

const campaignOf = (packed: PackedCampaign | 0): CampaignFacts | null =>
  packed === 0
    ? null
    : {
        id: packed[0],
        creativeId: packed[1],
        leaseId: packed[2],
        costMicros: packed[3],
        arm: packed[4] ?? "",
        deviceSha1: packed[5] ?? "",
      };
