import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseCron } from "./cron.ts";

const at = (text: string) => Date.parse(`${text}:30.500Z`);

test.each([
  ["* * * * *", "2030-01-02T03:04", true],
  ["4 3 * * *", "2030-01-02T03:04", true],
  ["4 3 * * *", "2030-01-02T03:05", false],
  ["*/15 * * * *", "2030-01-02T03:45", true],
  ["*/15 * * * *", "2030-01-02T03:50", false],
  ["5-10/5 1,3 * * *", "2030-01-02T03:10", true],
  ["5/20 * * * *", "2030-01-02T03:45", true],
  ["0 0 1 * *", "2030-02-01T00:00", true],
  ["0 0 * 2 *", "2030-03-01T00:00", false],
  ["0 0 * * 1-5", "2030-01-04T00:00", true],
  ["0 0 * * 1-5", "2030-01-06T00:00", false],
  ["0 0 * * 0", "2030-01-06T00:00", true],
  // Either of both days.
  ["0 0 13 * 5", "2030-01-04T00:00", true],
  ["0 0 13 * 5", "2030-01-13T00:00", true],
  ["0 0 13 * 5", "2030-01-14T00:00", false],
])("%s at %s: %s", (line, moment, fits) => {
  expect(parseCron(line)(at(moment))).toBe(fits);
});

test.each([
  "",
  "* * * *",
  "* * * * * *",
  "60 * * * *",
  "* 24 * * *",
  "* * 0 * *",
  "* * * 13 *",
  "* * * * 7",
  "5-1 * * * *",
  "*/0 * * * *",
  "a * * * *",
  "1,,2 * * * *",
])("%j is no cron line", (line) => {
  expect(() => parseCron(line)).toThrow(RangeError);
});

test("a line for one minute of the day fits 60 s of each day, in UTC", () => {
  fc.assert(
    fc.property(fc.nat(59), fc.nat(23), fc.nat(40_000), (minute, hour, day) => {
      const fits = parseCron(`${minute} ${hour} * * *`);
      const start = day * 86_400_000;
      let minutes = 0;
      for (let nth = 0; nth < 1440; nth++) if (fits(start + nth * 60_000)) minutes++;
      expect(minutes).toBe(1);
      expect(fits(start + (hour * 60 + minute) * 60_000 + 59_999)).toBe(true);
    }),
    { numRuns: 20 },
  );
});
