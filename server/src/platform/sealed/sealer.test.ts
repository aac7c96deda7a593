import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SealError, sealer } from "./sealer.ts";

const OLD = "the old secret of at least 32 bytes";
const NEW = "the new secret of at least 32 bytes";
const old = sealer([OLD]);
const both = sealer([NEW, OLD]);
const fresh = sealer([NEW]);

test("any sealed text can be opened again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (plain, purpose) => {
      expect(both.open(both.seal(plain, purpose), purpose)).toBe(plain);
    }),
  );
});

test("sealed bytes changed in any one bit do not open", () => {
  const sealed = both.seal("a partner's key", "partner keys");
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3] = changed[bit >> 3]! ^ (1 << (bit & 7));
    expect(() => both.open(changed, "partner keys")).toThrow(SealError);
  }
});

test("truncated or made-up bytes do not open", () => {
  const sealed = both.seal("a partner's key", "partner keys");
  for (let end = 0; end < sealed.length; end++) {
    expect(() => both.open(sealed.subarray(0, end), "partner keys")).toThrow(SealError);
  }
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(() => both.open(Buffer.from(bytes), "partner keys")).toThrow(SealError);
    }),
  );
});

test("text sealed for one purpose does not open for another", () => {
  expect(() => both.open(both.seal("secret", "one"), "other")).toThrow(SealError);
});

test("secrets rotate: the newest seals, and older ones open until they are removed", () => {
  const before = old.seal("kept", "codes");
  expect(both.open(before, "codes")).toBe("kept");
  expect(fresh.open(both.seal("kept", "codes"), "codes")).toBe("kept");
  expect(() => fresh.open(before, "codes")).toThrow("not configured on this platform");
});

test("sealed bytes contain neither the text nor the secret, and are never the same twice", () => {
  const one = both.seal("a partner's key", "partner keys");
  const two = both.seal("a partner's key", "partner keys");
  expect(one.equals(two)).toBe(false);
  expect(one.includes("partner")).toBe(false);
  expect(one.includes(NEW.slice(0, 8))).toBe(false);
});

test("a key is derived once per secret and purpose", () => {
  const derivations: string[] = [];
  const counted = sealer([NEW, OLD], (secret, purpose) => {
    derivations.push(`${purpose}: ${secret}`);
    return Buffer.alloc(32, `${purpose}${secret}`);
  });
  for (let nth = 0; nth < 100; nth++) {
    for (const purpose of ["codes", "partner keys"]) counted.open(counted.seal("kept", purpose), purpose);
  }
  expect(derivations).toEqual([`codes: ${NEW}`, `partner keys: ${NEW}`]);
});

test("without a secret there is nothing to seal with", () => {
  expect(() => sealer([])).toThrow(RangeError);
});
