import { decimalDollars } from "@millrace/units";
import fc from "fast-check";
import { expect, test } from "vitest";
import { microsOf } from "./micros-of.ts";

test("an amount is read to the cent and to the micro-dollar", () => {
  expect(microsOf("12")).toBe(12_000_000);
  expect(microsOf(" $12.5 ")).toBe(12_500_000);
  expect(microsOf("0.01")).toBe(10_000);
  expect(microsOf("0.000001")).toBe(1);
  expect(microsOf("1,234,567.89")).toBe(1_234_567_890_000);
  // A number times a million would be 8199999.999999999.
  expect(microsOf("8.2")).toBe(8_200_000);
});

test.each([
  "",
  " ",
  "ten",
  "1,5",
  "1.2345678",
  "-3",
  "1e3",
  "1.",
  "0x10",
  "1 000",
  "12,34.00",
  "0,500",
  "$0,125",
  "00,500",
  "999999999999",
])("%j is not an amount", (typed) => {
  expect(microsOf(typed)).toBeNull();
});

test("every amount survives a round trip", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (micros) => {
      expect(microsOf(decimalDollars(micros))).toBe(micros);
    }),
  );
});
