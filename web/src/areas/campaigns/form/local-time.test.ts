import { expect, test } from "vitest";
import { localMoment, localTime } from "./local-time.ts";

test("a UTC moment is shown at its local date", () => {
  expect(localMoment("2026-11-09", "20:00", "Asia/Tokyo")).toBe("Tue, Nov 10, 2026, 05:00");
  expect(localMoment("2026-11-09", "00:30", "America/New_York")).toBe("Sun, Nov 8, 2026, 19:30");
  expect(localMoment("2026-11-09", "14:00", "UTC")).toBe("Mon, Nov 9, 2026, 14:00");
});

test("the local time of an hour depends on the season", () => {
  expect(localTime("2026-07-01", "14:00", "Europe/Berlin")).toBe("16:00");
  expect(localTime("2026-12-01", "14:00", "Europe/Berlin")).toBe("15:00");
  expect(localTime("2026-12-01", "23:00", "Europe/Berlin")).toBe("00:00");
});
