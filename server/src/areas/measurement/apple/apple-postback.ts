import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { z } from "zod";

/**
 * A postback of SKAdNetwork or AdAttributionKit whose signature is Apple's. Conversion values are not signed in any version, so
 * anybody on the way could have changed them.
 */
export interface ApplePostback {
  protocol: "skadnetwork" | "adattributionkit";
  version: string;
  /** Apple's id of the conversion: with `sequence`, a postback is one however often it comes. */
  transactionId: string;
  adNetworkId: string;
  /** The advertised app's number in the App Store. */
  appId: string;
  /** The campaign's number, or its last two to four digits. */
  source: number;
  /** The conversion window: 0 for the first. */
  sequence: number;
  didWin: boolean;
  conversion: "download" | "redownload" | "re-engagement";
  /** Signed by a key for development. */
  isTest: boolean;
  unsigned: { fineValue: number | null; coarseValue: "low" | "medium" | "high" | null };
}

export type Checked =
  | { ok: true; postback: ApplePostback }
  | { ok: false; reason: "malformed" | "unauthorized"; claims?: Claims };
/** What a postback with a wrong signature says of itself. */
export type Claims = Pick<ApplePostback, "appId" | "source">;

const SEPARATOR = "\u2063";

/** Apple's key for SKAdNetwork 2.0, on P-192 (https://developer.apple.com/documentation/storekit/skadnetwork-2-release-notes). */
const FORMER_SKADNETWORK_KEY =
  "MEkwEwYHKoZIzj0CAQYIKoZIzj0DAQEDMgAEMyHD625uvsmGq4C43cQ9BnfN2xslVT5V1nOmAMP6qaRRUll3PB1JYmgSm+62sosG";

/** Apple's key for SKAdNetwork 2.1 and later (https://developer.apple.com/documentation/storekit/verifying-an-install-validation-postback). */
const SKADNETWORK_KEY =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWdp8GPcGqmhgzEFj9Z2nSpQVddayaPe4FMzqM9wib1+aHaaIzoHoLN9zW4K8y4SPykE3YVK3sVqW6Af0lfx3gg==";

/** Apple's keys for AdAttributionKit (https://developer.apple.com/documentation/adattributionkit/verifying-a-postback). */
const ATTRIBUTION_KEYS = new Map([
  ["apple-cas-identifier/0", { key: SKADNETWORK_KEY, isTest: false }],
  [
    "apple-development-identifier/0",
    {
      key: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELeEDzpJEP+/qRSE5hJVC1p1J0ssUnQGMzBBbvnACBok8OVGGLgxL0myrKiy6lvRtSlLRsWit87i+vftD8AEqeQ==",
      isTest: true,
    },
  ],
  [
    "apple-development-identifier/1",
    {
      key: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YzdO7eM97s/IJ25kdW5CZ3A14USE5IJ5Ha/vhWaxI6UBI1ZxCEvjrKxVluVGe6qWwF1BDFq+QHqKfH5u+wxHQ==",
      isTest: true,
    },
  ],
]);

/** The keys that a test may replace. */
export interface AppleKeys {
  /** Of version 2.0. */
  formerSkadnetwork: string;
  skadnetwork: string;
  attribution: ReadonlyMap<string, { key: string; isTest: boolean }>;
}
export const APPLE_KEYS: AppleKeys = {
  formerSkadnetwork: FORMER_SKADNETWORK_KEY,
  skadnetwork: SKADNETWORK_KEY,
  attribution: ATTRIBUTION_KEYS,
};

const Text = z.string().min(1).max(128);
const AppId = z.union([z.int().min(0), z.string().regex(/^\d{1,20}$/)]).transform(String);
const Coarse = z.enum(["low", "medium", "high"]).optional();
const Fine = z.int().min(0).max(63).optional();
const Source = z
  .string()
  .regex(/^\d{2,4}$/)
  .transform(Number);

const COMMON = {
  "ad-network-id": Text,
  "transaction-id": Text,
  "app-id": AppId,
  "attribution-signature": z.string().max(200),
  redownload: z.boolean(),
  "source-app-id": AppId.optional(),
  "conversion-value": Fine,
} as const;
const BeforeFour = { ...COMMON, "campaign-id": z.int().min(1).max(100) } as const;
const SIGNED_IN_TWO = [
  "version",
  "ad-network-id",
  "campaign-id",
  "app-id",
  "transaction-id",
  "redownload",
  "source-app-id",
] as const;

/** What each version sends, and what of it is signed, in the order of the signature; absent values are left out. */
const VERSIONS = {
  "2.0": {
    shape: z.looseObject({ ...BeforeFour, version: z.literal("2.0") }),
    signed: SIGNED_IN_TWO,
  },
  "2.1": {
    shape: z.looseObject({ ...BeforeFour, version: z.literal("2.1") }),
    signed: SIGNED_IN_TWO,
  },
  "2.2": {
    shape: z.looseObject({ ...BeforeFour, version: z.literal("2.2"), "fidelity-type": z.int() }),
    signed: [...SIGNED_IN_TWO, "fidelity-type"],
  },
  "3.0": {
    shape: z.looseObject({
      ...BeforeFour,
      version: z.literal("3.0"),
      "fidelity-type": z.int(),
      "did-win": z.boolean(),
    }),
    signed: [...SIGNED_IN_TWO, "fidelity-type", "did-win"],
  },
  "4.0": {
    shape: z.looseObject({
      ...COMMON,
      version: z.literal("4.0"),
      "source-identifier": Source,
      "source-domain": Text.optional(),
      "coarse-conversion-value": Coarse,
      "fidelity-type": z.int(),
      "did-win": z.boolean(),
      "postback-sequence-index": z.int().min(0).max(2),
    }),
    signed: [
      "version",
      "ad-network-id",
      "source-identifier",
      "app-id",
      "transaction-id",
      "redownload",
      "source-app-id",
      "source-domain",
      "fidelity-type",
      "did-win",
      "postback-sequence-index",
    ],
  },
} as const;
type Version = keyof typeof VERSIONS;

/** Checks a postback of SKAdNetwork 2 to 4. */
export function checkSkadnetwork(sent: unknown, keys: AppleKeys = APPLE_KEYS): Checked {
  const version = (sent as { version?: unknown } | null)?.version;
  if (typeof version !== "string" || !Object.hasOwn(VERSIONS, version)) return { ok: false, reason: "malformed" };
  const { shape, signed } = VERSIONS[version as Version];
  const read = shape.safeParse(sent);
  if (!read.success) return { ok: false, reason: "malformed" };
  const { data } = read;
  const appId = data["app-id"];
  const source = Number(data["source-identifier"] ?? data["campaign-id"]);
  // As they were sent: a source of `039` is not the number 39 in the signature.
  const values = sent as Record<string, unknown>;
  const text = signed
    .flatMap((name) => (values[name] === undefined ? [] : [String(values[name] as string | number | boolean)]))
    .join(SEPARATOR);
  const signature = Buffer.from(data["attribution-signature"], "base64");
  const key = version === "2.0" ? keys.formerSkadnetwork : keys.skadnetwork;
  if (!isSignedBy(key, text, signature, "der")) return { ok: false, reason: "unauthorized", claims: { appId, source } };
  return {
    ok: true,
    postback: {
      protocol: "skadnetwork",
      version,
      transactionId: data["transaction-id"].toLowerCase(),
      adNetworkId: data["ad-network-id"],
      appId,
      source,
      sequence: "postback-sequence-index" in data ? Number(data["postback-sequence-index"]) : 0,
      didWin: !("did-win" in data) || data["did-win"] === true,
      conversion: data.redownload ? "redownload" : "download",
      isTest: false,
      unsigned: {
        fineValue: data["conversion-value"] ?? null,
        coarseValue: ("coarse-conversion-value" in data ? Coarse.parse(data["coarse-conversion-value"]) : null) ?? null,
      },
    },
  };
}

const Envelope = z.looseObject({
  "jws-string": z.string().max(8192),
  "conversion-value": Fine,
  "coarse-conversion-value": Coarse,
});
const Header = z.looseObject({ alg: z.literal("ES256"), kid: z.string() });
const Payload = z.looseObject({
  "ad-network-identifier": Text,
  "source-identifier": Source,
  "advertised-item-identifier": AppId,
  "conversion-type": z.enum(["download", "redownload", "re-engagement"]),
  "postback-identifier": Text,
  "did-win": z.boolean(),
  "postback-sequence-index": z.int().min(0).max(2),
});

/** Checks a postback of AdAttributionKit: a JWS (RFC 7515) whose header names one of Apple's keys. */
export function checkAttribution(sent: unknown, keys: AppleKeys = APPLE_KEYS): Checked {
  const envelope = Envelope.safeParse(sent);
  if (!envelope.success) return { ok: false, reason: "malformed" };
  const [header = "", payload = "", signature = "", ...more] = envelope.data["jws-string"].split(".");
  const [head, body] = [Header.safeParse(jsonIn(header)), Payload.safeParse(jsonIn(payload))];
  if (more.length > 0 || !head.success || !body.success) return { ok: false, reason: "malformed" };
  const { data } = body;
  const [appId, source] = [data["advertised-item-identifier"], data["source-identifier"]];
  const key = keys.attribution.get(head.data.kid);
  if (!key || !isSignedBy(key.key, `${header}.${payload}`, Buffer.from(signature, "base64url"), "ieee-p1363"))
    return { ok: false, reason: "unauthorized", claims: { appId, source } };
  return {
    ok: true,
    postback: {
      protocol: "adattributionkit",
      version: "1.0",
      transactionId: data["postback-identifier"].toLowerCase(),
      adNetworkId: data["ad-network-identifier"],
      appId,
      source,
      sequence: data["postback-sequence-index"],
      didWin: data["did-win"],
      conversion: data["conversion-type"],
      isTest: key.isTest,
      unsigned: {
        fineValue: envelope.data["conversion-value"] ?? null,
        coarseValue: envelope.data["coarse-conversion-value"] ?? null,
      },
    },
  };
}

function jsonIn(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString());
  } catch {
    return undefined;
  }
}

const opened = new Map<string, KeyObject>();

function isSignedBy(key: string, text: string, signature: Buffer, dsaEncoding: "der" | "ieee-p1363"): boolean {
  let publicKey = opened.get(key);
  if (!publicKey) {
    publicKey = createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" });
    opened.set(key, publicKey);
  }
  return verify("sha256", Buffer.from(text), { key: publicKey, dsaEncoding }, signature);
}
