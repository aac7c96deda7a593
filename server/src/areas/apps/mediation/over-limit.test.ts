import { expect, test } from "vitest";
import { overSince } from "./over-limit.ts";

const days = (...values: (number | null | [value: number, asked: number])[]) =>
  values.map((value, index) => ({
    date: `2024-11-${String(index + 10)}`,
    asked: Array.isArray(value) ? value[1] : 1000,
    value: Array.isArray(value) ? value[0] : value,
  }));

test("a value is over its limit since the first day of the unbroken run", () => {
  expect(overSince(days(90, 80, 90, 91), 85)).toEqual({ since: "2024-11-12", or_before: false });
});

test("a value within its limit on the last day is not over it", () => {
  expect(overSince(days(90, 90, 85), 85)).toBeNull();
  expect(overSince([], 85)).toBeNull();
});

test("a run that begins with the days may have begun before", () => {
  expect(overSince(days(90, 90), 85)).toEqual({ since: "2024-11-10", or_before: true });
});

test("days with few requests, or without a measurement, neither begin nor break a run", () => {
  expect(overSince(days(80, 90, [10, 3], null, 91), 85)).toEqual({ since: "2024-11-11", or_before: false });
  expect(overSince(days([99, 10]), 85)).toBeNull();
});
