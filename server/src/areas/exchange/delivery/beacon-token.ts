import { FORMATS, type Format, PLATFORMS, type Platform } from "@millrace/contract";
import { nextNonce, sealed, unsealed } from "./seal.ts";
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
  /** Of a campaign's ad, in-house ones too, and of a line item's; null for any other. */
  campaign: CampaignFacts | null;
}

/** Whose money an impression takes; also names an in-house campaign or a line item, which take none. */
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
  /** Of a line item, as CPMs that are no money here: stated, expected, and what its SDK tells with the impression. */
  line?: { statedMicros: number; expectedMicros: number; paidMicros?: number };
}

export const BEACON_KINDS = ["impression", "click", "loss", "player"] as const;
export type BeaconKind = (typeof BEACON_KINDS)[number];
/** Those, and the token that only a rewarded ad has. */
type TokenKind = BeaconKind | "reward";

const VERSION = 3;
/** Tokens made before there were campaigns, which live for a day. */
const FORMER_VERSION = 2;

/** A bidder's notice addresses, with all macros expanded but the impression's time, to call when its ad's impression is counted. */
export interface ImpressionNotices {
  /** Only for an ad that was not the first one returned; the first ad's win notice is sent with the response. */
  win?: string;
  billing?: string;
}

export const NO_NOTICES: ImpressionNotices = {};

/** What a rewarded ad promises to whom, as its token for the reward says. */
export interface RewardTerms {
  name: string;
  amount: number;
  /** How long the ad has to be watched; see `watchSecondsOf`. */
  seconds: number;
  /** As given by the app with its request; empty if it gives none. */
  userId: string;
  customData: string;
}

/** Tokens of one ad, one for each kind of beacon. */
export type AdTokens = Readonly<Record<BeaconKind, string>>;

/**
 * Seals an ad's facts, once for each kind of beacon, with AES-256-GCM and a separate key for each kind. Nobody else can read
 * the price or the device, and a token of one kind cannot be turned into another's. The bidder's notices for the impression
 * are in that beacon's token, so that they need no store.
 */
export function signAd({ current }: Keyring, facts: AdFacts, onImpression = NO_NOTICES): SignedAd {
  return new LazyTokens(current, encode(facts), onImpression);
}

/** Seals each token on demand, because no markup needs all four. */
class LazyTokens implements SignedAd {
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

  reward(terms: RewardTerms): string {
    return this.#seal("reward", JSON.stringify([...this.#packed, terms]));
  }

  #token(kind: BeaconKind): string {
    let token = this.#sealed.get(kind);
    if (token === undefined) this.#sealed.set(kind, (token = this.#seal(kind, this.#textOf(kind))));
    return token;
  }

  #seal(kind: TokenKind, text: string): string {
    return `${this.#key.id}.${sealed(this.#key[kind], this.#nonce, text)}`;
  }

  #textOf(kind: BeaconKind): string {
    const { win, billing } = this.#onImpression;
    if (kind === "impression" && (win !== undefined || billing !== undefined)) {
      return JSON.stringify([...this.#packed, this.#onImpression]);
    }
    return (this.#text ??= JSON.stringify(this.#packed));
  }
}

/** The tokens of an ad, which may be a rewarded one. */
export interface SignedAd extends AdTokens {
  reward(terms: RewardTerms): string;
}

/** An opened token. `eventIds` are those of all of the ad's beacons; the same token always gives the same ids. */
export interface OpenedToken {
  facts: AdFacts;
  eventIds: Record<BeaconKind, string>;
  onImpression: ImpressionNotices;
  /** Only in a token for a reward. */
  reward?: RewardTerms | undefined;
}

/** Opens a token of this kind; null if it is not ours. Does not check whether it has expired. */
export function openToken(keyring: Keyring, kind: TokenKind, token: string): OpenedToken | null {
  const keyEnd = token.indexOf(".");
  const key = keyring.byId.get(token.slice(0, Math.max(0, keyEnd)));
  const opened = key && unsealed(key[kind], token.slice(keyEnd + 1));
  if (!opened) return null;
  const packed = JSON.parse(opened.text) as Packed | FormerPacked;
  const facts = decode(packed);
  if (!facts) return null;
  // From the decoded bytes, so that another spelling of a token (`+` decodes like `-`) is the same event.
  const id = opened.nonce.toString("base64url");
  return {
    facts,
    eventIds: { impression: `i${id}`, click: `c${id}`, loss: `l${id}`, player: `p${id}` },
    onImpression: (kind === "impression" && (lastOf(packed) as ImpressionNotices | undefined)) || NO_NOTICES,
    reward: kind === "reward" ? (lastOf(packed) as RewardTerms | undefined) : undefined,
  };
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
  statedMicros?: number,
  expectedMicros?: number,
];
type Packed = [
  version: typeof VERSION,
  ...facts: PackedFacts,
  campaign: PackedCampaign | 0,
  onImpressionOrReward?: ImpressionNotices | RewardTerms,
];
type FormerPacked = [version: typeof FORMER_VERSION, ...facts: PackedFacts, onImpression?: ImpressionNotices];

const lastOf = (packed: Packed | FormerPacked) => (packed[0] === VERSION ? packed[20] : packed[19]);

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

function packCampaign({ id, creativeId, leaseId, costMicros, arm, deviceSha1, line }: CampaignFacts): PackedCampaign {
  if (line) return [id, creativeId, leaseId, costMicros, arm, deviceSha1, line.statedMicros, line.expectedMicros];
  const packed = [id, creativeId, leaseId, costMicros, arm] as const;
  return deviceSha1 === "" ? [...packed] : [...packed, deviceSha1];
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
        ...(packed[6] !== undefined && { line: { statedMicros: packed[6], expectedMicros: packed[7] ?? 0 } }),
      };
