import { expect, test } from "vitest";
import { maskDate, maskTime } from "./typing-masks.ts";

/** Types one character after the other at the end. */
const typed = (mask: typeof maskDate, text: string) =>
  Array.from(text).reduce((before, key) => mask(before + key, before), "");

test.each([
  ["20261109", "2026-11-09"],
  ["2026-11-09", "2026-11-09"],
  ["2026/11/09", "2026-11-09"],
  ["2026.11.09", "2026-11-09"],
  ["2026111", "2026-11-1"],
  ["2026-", "2026-"],
])("%s becomes the date %s while it is typed", (text, date) => {
  expect(typed(maskDate, text)).toBe(date);
});

test("a time gets its colon", () => {
  expect(typed(maskTime, "1400")).toBe("14:00");
  expect(typed(maskTime, "09:30")).toBe("09:30");
});

test("pasted digits are grouped", () => {
  expect(maskDate("20261109", "2025-01-01")).toBe("2026-11-09");
});

test("deleting and editing in the middle leave the text alone", () => {
  expect(maskDate("2026-", "2026-1")).toBe("2026-");
  expect(maskDate("2026", "2026-")).toBe("2026");
  expect(maskDate("2026-1-09", "2026-11-09")).toBe("2026-1-09");
  expect(maskDate("2026-12-09", "2026-1-09")).toBe("2026-12-09");
  expect(maskDate("", "2")).toBe("");
});
