import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type ClickFacts, clickIds } from "./click-id.ts";
import { expandLink, withInstallReferrer } from "./expand-link.ts";
import { isSigned, signatureOf, signedText } from "./postback-signature.ts";

const FACTS: ClickFacts = {
  kind: "click",
  ad: "AbCdEfGhIjKlMnOp",
  campaignId: 12,
  creativeId: 34,
  appId: 56,
  atMs: 1_700_000_000_000,
  format: "banner",
  country: "DE",
  platform: "android",
  arm: "held",
  demo: true,
  test: false,
};
const NEW = "the new secret of at least 32 bytes";
const OLD = "the old secret of at least 32 bytes";
const ids = clickIds([NEW, OLD]);

test("a click id opens to the facts that it was signed with, and fits any provider's link", () => {
  for (const facts of [FACTS, { ...FACTS, kind: "view" as const, demo: false, test: true, arm: "" }]) {
    const id = ids.sign(facts);
    expect(ids.open(id)).toEqual(facts);
    expect(id).toMatch(/^[\w-]{6}\.[\w-]{67}$/);
  }
});

test("a click id with any other character is none, nor is another text or another platform's", () => {
  const id = ids.sign(FACTS);
  // Two bits of the last character are of no use, so some others there mean the same.
  for (let at = 0; at < id.length - 1; at++) {
    const changed = id.slice(0, at) + (id[at] === "A" ? "B" : "A") + id.slice(at + 1);
    expect(ids.open(changed)).toBeNull();
    expect(ids.open(id.slice(0, at))).toBeNull();
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(ids.open(text)).toBeNull();
    }),
  );
  expect(clickIds(["a secret of another platform, 32 bytes"]).open(id)).toBeNull();
});

test("a click's link can be signed for its install, with the secret that signed the click id", () => {
  const [id, former] = [ids.sign(FACTS), clickIds([OLD]).sign(FACTS)];
  expect(ids.installSignature(id)).toMatch(/^[\w-]{22}$/);
  expect(ids.installSignature(former)).toBe(clickIds([OLD]).installSignature(former));
  expect(ids.installSignature(former)).not.toBe(ids.installSignature(id));
  for (const other of ["", "x", "abcdef.y", clickIds(["a secret of another platform, 32 bytes"]).sign(FACTS)])
    expect(ids.installSignature(other)).toBe("");
});

test("a former secret's click ids stay valid until it is removed", () => {
  const former = clickIds([OLD]).sign(FACTS);
  expect(ids.open(former)).toEqual(FACTS);
  expect(clickIds([NEW]).open(former)).toBeNull();
});

test("macros are filled and encoded in every part of a link, and unknown names stay", () => {
  const values = new Map([
    ["click_id", "a.b-c"],
    ["campaign_name", "Spring & Summer = 50% / ü\r\nX: 1"],
    ["zone", ""],
  ]);
  const link = "https://t.example/%7Bclick_id%7D?c={campaign_name}&z={zone}&o={other}&{click_id}=1#{CLICK_ID}";
  expect(expandLink(link, values)).toBe(
    "https://t.example/a.b-c?c=Spring%20%26%20Summer%20%3D%2050%25%20%2F%20%C3%BC%0D%0AX%3A%201&z=&o={other}&a.b-c=1#a.b-c",
  );
  const name = new Map([["campaign_name", "{click_id}"]]);
  expect(expandLink("https://t.example/?c={campaign_name}", name)).toBe("https://t.example/?c=%7Bclick_id%7D");
});

test("a link to the Play Store gets our click id as its install referrer", () => {
  const about = { clickId: "k.1", campaign: "c-1" };
  const store = "https://play.google.com/store/apps/details?id=com.example.tide";
  const referrerOf = (link: string) => new URL(withInstallReferrer(link, about)).searchParams.get("referrer");
  expect(referrerOf(store)).toBe("utm_source=millrace&utm_campaign=c-1&click_id=k.1");
  expect(referrerOf(`${store}&referrer=utm_source%3Dmine`)).toBe("utm_source=mine&click_id=k.1");
  expect(referrerOf(`${store}&referrer=click_id%3Dmine`)).toBe("click_id=mine");
  for (const other of [
    "https://apps.apple.com/app/id1",
    "https://play.google.com/store/books",
    "https://shop.example/?id=1",
  ])
    expect(withInstallReferrer(other, about)).toBe(other);
  expect(withInstallReferrer(store, { ...about, clickId: "" })).toBe(store);
});

test("a postback is signed by its secret, or by a signature of all its parameters", () => {
  const params = new Map([
    ["event", "level up"],
    ["click_id", "a.b"],
  ]);
  expect(signedText(params)).toBe("click_id=a.b&event=level%20up");
  const signature = signatureOf(params, "s3cret");
  const signed = (more: [string, string][]) => isSigned(new Map([...params, ...more]), "s3cret");
  expect(signed([["signature", signature]])).toBe(true);
  expect(signed([["signature", signature.toUpperCase()]])).toBe(true);
  expect(signed([["secret", "s3cret"]])).toBe(true);
  expect(signed([])).toBe(false);
  expect(signed([["secret", "s3cres"]])).toBe(false);
  // A parameter that was added, and a wrong signature beside the right secret.
  expect(
    signed([
      ["payout", "9"],
      ["signature", signature],
    ]),
  ).toBe(false);
  expect(
    signed([
      ["secret", "s3cret"],
      ["signature", "0"],
    ]),
  ).toBe(false);
});
