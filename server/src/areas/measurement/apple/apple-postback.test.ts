import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { APPLE_KEYS, checkAttribution, checkSkadnetwork } from "./apple-postback.ts";
import {
  ATTRIBUTION_EXAMPLE,
  FORMER_ATTRIBUTION_EXAMPLE,
  SIGNED_BY_A_DEVICE,
  SIGNED_EXAMPLES,
} from "./fixtures/apple-examples.ts";

const pair = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const ownKey = pair.publicKey.export({ format: "der", type: "spki" }).toString("base64");
const OWN = {
  formerSkadnetwork: ownKey,
  skadnetwork: ownKey,
  attribution: new Map([["own", { key: ownKey, isTest: false }]]),
};

test.each(
  SIGNED_EXAMPLES.map((example) => [`${example.version}, ${example["attribution-signature"]}`, example] as const),
)("Apple's example of SKAdNetwork %s has Apple's signature", (_name, example) => {
  const checked = checkSkadnetwork(example);
  expect(checked).toMatchObject({
    ok: true,
    postback: { version: example.version, appId: "525463029", transactionId: example["transaction-id"] },
  });
});

test("a device's postback of version 2.0 has the signature of Apple's former key, and no other version's", () => {
  expect(checkSkadnetwork(SIGNED_BY_A_DEVICE)).toMatchObject({
    ok: true,
    postback: { version: "2.0", appId: "1499436635", source: 59, didWin: true, conversion: "redownload" },
  });
  expect(checkSkadnetwork({ ...SIGNED_BY_A_DEVICE, version: "2.1" })).toMatchObject({ reason: "unauthorized" });
  expect(checkSkadnetwork({ ...SIGNED_EXAMPLES.at(-1), version: "2.0" })).toMatchObject({ reason: "unauthorized" });
  expect(checkSkadnetwork({ ...SIGNED_BY_A_DEVICE, "source-app-id": 7 })).toMatchObject({ reason: "unauthorized" });
});

test("a change of any signed value breaks the signature, and of a conversion value does not", () => {
  const unsigned = new Set(["conversion-value", "coarse-conversion-value", "attribution-signature"]);
  for (const example of [...SIGNED_EXAMPLES, SIGNED_BY_A_DEVICE]) {
    for (const [name, value] of Object.entries(example)) {
      if (unsigned.has(name) || name === "version") continue;
      const other =
        typeof value === "boolean" ? !value : typeof value === "number" ? value + 1 : `${value.slice(0, -1)}3`;
      const checked = checkSkadnetwork({ ...example, [name]: other });
      expect([example.version, name, checked.ok]).toEqual([example.version, name, false]);
    }
    expect(checkSkadnetwork({ ...example, "conversion-value": 1 })).toMatchObject({
      ok: true,
      postback: { unsigned: { fineValue: 1 } },
    });
    const { "source-app-id": _app, "source-domain": _domain, ...without } = example as Record<string, unknown>;
    const isSame = Object.keys(without).length === Object.keys(example).length;
    expect(checkSkadnetwork(without).ok).toBe(isSame);
  }
});

test("a postback says which campaign, window and conversion it is about, and that it won", () => {
  const [high, low] = SIGNED_EXAMPLES.filter(({ version }) => version === "4.0");
  expect(checkSkadnetwork(high)).toMatchObject({
    postback: {
      source: 5239,
      sequence: 0,
      didWin: true,
      conversion: "download",
      unsigned: { fineValue: 63, coarseValue: null },
    },
  });
  expect(checkSkadnetwork(low)).toMatchObject({
    postback: { source: 39, unsigned: { fineValue: null, coarseValue: "high" } },
  });
  const lost = SIGNED_EXAMPLES.find((example) => "did-win" in example && !example["did-win"]);
  expect(checkSkadnetwork(lost)).toMatchObject({ postback: { didWin: false, conversion: "redownload", source: 42 } });
});

test("Apple's example of AdAttributionKit has the signature of its development key", () => {
  expect(checkAttribution(ATTRIBUTION_EXAMPLE)).toEqual({
    ok: true,
    postback: {
      protocol: "adattributionkit",
      version: "1.0",
      transactionId: "85546eb7-fd39-44bc-8990-c98a4ac36a49",
      adNetworkId: "development.adattributionkit",
      appId: "10738027756",
      source: 1234,
      sequence: 0,
      didWin: true,
      conversion: "re-engagement",
      isTest: true,
      unsigned: { fineValue: 24, coarseValue: null },
    },
  });
});

test("an AdAttributionKit postback with another payload, key, algorithm or signature is refused", () => {
  const [header = "", payload = "", signature = ""] = ATTRIBUTION_EXAMPLE["jws-string"].split(".");
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const facts = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
  const reasonOf = (jws: string) => {
    const checked = checkAttribution({ ...ATTRIBUTION_EXAMPLE, "jws-string": jws });
    return checked.ok ? "ok" : checked.reason;
  };
  expect(reasonOf(`${header}.${encode({ ...facts, "source-identifier": "1235" })}.${signature}`)).toBe("unauthorized");
  expect(reasonOf(`${encode({ alg: "ES256", kid: "apple-cas-identifier/0" })}.${payload}.${signature}`)).toBe(
    "unauthorized",
  );
  expect(reasonOf(`${encode({ alg: "ES256", kid: "constructor" })}.${payload}.${signature}`)).toBe("unauthorized");
  expect(reasonOf(`${encode({ alg: "none", kid: "apple-cas-identifier/0" })}.${payload}.`)).toBe("malformed");
  expect(reasonOf(`${header}.${payload}.`)).toBe("unauthorized");
  expect(reasonOf(`${header}.${payload}.${signature}.x`)).toBe("malformed");
  // Apple's documentation showed this one before; it names a key that has not signed it.
  expect(checkAttribution(FORMER_ATTRIBUTION_EXAMPLE)).toMatchObject({ ok: false, reason: "unauthorized" });
});

test("postbacks that are signed with another key are read by the same rules, and never with Apple's", () => {
  const facts = {
    version: "4.0",
    "ad-network-id": "example.skadnetwork",
    "source-identifier": "0039",
    "app-id": 5,
    "transaction-id": "T-1",
    redownload: true,
    "source-app-id": 7,
    "fidelity-type": 0,
    "did-win": true,
    "postback-sequence-index": 2,
  };
  const text = Object.values(facts).map(String).join("\u2063");
  const signed = {
    ...facts,
    "attribution-signature": sign("sha256", Buffer.from(text), pair.privateKey).toString("base64"),
  };
  expect(checkSkadnetwork(signed, OWN)).toMatchObject({
    ok: true,
    postback: { source: 39, sequence: 2, conversion: "redownload", transactionId: "t-1" },
  });
  expect(checkSkadnetwork(signed, APPLE_KEYS).ok).toBe(false);
});

test.each([
  null,
  [],
  "text",
  {},
  { version: "2.0" },
  { version: "constructor" },
  { ...SIGNED_EXAMPLES[0], "attribution-signature": "!" },
  { ...SIGNED_EXAMPLES[0], "app-id": -1 },
  { ...SIGNED_EXAMPLES[0], redownload: "true" },
])("%j is no postback of SKAdNetwork", (sent) => {
  expect(checkSkadnetwork(sent).ok).toBe(false);
  expect(checkAttribution(sent).ok).toBe(false);
});
