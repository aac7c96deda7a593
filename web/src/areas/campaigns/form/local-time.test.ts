import { expect, test } from "vitest";
import { localHours, localMoment } from "./local-time.ts";

test("a UTC moment is shown at its local date", () => {
  expect(localMoment("2026-11-09", "20:00", "Asia/Tokyo")).toBe("Tue, Nov 10th, 2026, 05:00");
  expect(localMoment("2026-11-09", "00:30", "America/New_York")).toBe("Sun, Nov 8th, 2026, 19:30");
  expect(localMoment("2026-11-09", "14:00", "UTC")).toBe("Mon, Nov 9th, 2026, 14:00");
});

const hours = { from: "14:00", to: "22:59" };

test("hours of a UTC day are shown as those of the season", () => {
  expect(localHours(hours, { first: "2026-07-01", last: "2026-09-30" }, "Europe/Berlin")).toBe("16:00 to 00:59");
  expect(localHours(hours, { first: "2026-12-01", last: "2026-12-24" }, "Europe/Berlin")).toBe("15:00 to 23:59");
  expect(localHours(hours, { first: "2026-12-01", last: null }, "Asia/Tokyo")).toBe("23:00 to 07:59");
});

test.each([
  // Berlin's clocks go forward on 29 March, a day of 23 hours, and back on 25 October, a day of 25.
  ["2026-03-20", "2026-04-20", "Europe/Berlin", "15:00 to 23:59, and 16:00 to 00:59 from Mar 29th, 2026,"],
  ["2026-10-20", "2026-10-25", "Europe/Berlin", "16:00 to 00:59, and 15:00 to 23:59 from Oct 25th, 2026,"],
  ["2026-10-20", "2026-10-24", "Europe/Berlin", "16:00 to 00:59"],
  ["2026-10-25", "2026-11-20", "Europe/Berlin", "15:00 to 23:59"],
  // New York's go back a week later.
  ["2026-10-25", "2026-11-20", "America/New_York", "10:00 to 18:59, and 09:00 to 17:59 from Nov 1st, 2026,"],
  ["2026-11-24", null, "Europe/Berlin", "15:00 to 23:59, and 16:00 to 00:59 from Mar 28th, 2027,"],
])("hours of a campaign from %s to %s are in %s: %s", (first, last, zone, text) => {
  expect(localHours(hours, { first, last }, zone)).toBe(text);
});

test("hours around the change itself are told after its day, and a whole day stays one", () => {
  const spring = { first: "2026-03-20", last: "2026-04-20" };
  expect(localHours({ from: "00:00", to: "05:59" }, spring, "Europe/Berlin")).toBe(
    "01:00 to 06:59, and 02:00 to 07:59 after Mar 29th, 2026,",
  );
  expect(localHours({ from: "00:00", to: "23:59" }, spring, "Europe/Berlin")).toBe("01:00 to 00:59");
});

test("on the day of a change, a moment before it has the old time, and one after it the new one", () => {
  const local = (time: string) => localMoment("2026-03-29", time, "Europe/Berlin");
  expect(["00:59", "01:00"].map(local)).toEqual(["Sun, Mar 29th, 2026, 01:59", "Sun, Mar 29th, 2026, 03:00"]);
  const again = (time: string) => localMoment("2026-10-25", time, "Europe/Berlin");
  expect(["00:30", "01:30"].map(again)).toEqual(["Sun, Oct 25th, 2026, 02:30", "Sun, Oct 25th, 2026, 02:30"]);
});

test.each(["UTC", "Asia/Tokyo", "America/New_York"])("the last days of the calendar are read in %s", (zone) => {
  for (const last of ["9999-12-24", "9999-12-31", null])
    for (const first of ["2026-01-01", "9998-12-31", "9999-12-30", "9999-12-31"])
      expect(localHours(hours, { first, last }, zone)).toMatch(/^\d\d:\d\d to \d\d:\d\d/);
  expect(localMoment("9999-12-30", "23:59", zone)).toMatch(/9999, \d\d:\d\d$/);
  expect(localMoment("9999-12-31", "23:59", zone)).toBeNull();
});
