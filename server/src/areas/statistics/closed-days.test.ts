import { expect, test } from "vitest";
import { beginsBefore } from "./closed-days.ts";
import { auction, session } from "./testing/some-rows.ts";

const block = (...rows: object[]) => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
const MIDNIGHT = Date.parse("2024-11-19T00:00:00Z");

test("a block is as old as its first row", () => {
  const late = session("2024-11-18T23:59:59.999Z");
  const today = auction("2024-11-19T00:00:00Z");
  expect(beginsBefore(block(late, today), MIDNIGHT)).toBe(true);
  expect(beginsBefore(block(today, late), MIDNIGHT)).toBe(false);
});

test("a block whose age cannot be told counts as old", () => {
  expect(beginsBefore(block({ device: "1" }), MIDNIGHT)).toBe(true);
  expect(beginsBefore(block({ zone: "x".repeat(500), at: "1763629999.123" }), MIDNIGHT)).toBe(true);
});
