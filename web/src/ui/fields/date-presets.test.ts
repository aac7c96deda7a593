import { expect, test } from "vitest";
import { datePresets } from "./date-presets.ts";

const presets = (limits: { ds: string; de: string }) =>
  Object.fromEntries(datePresets(limits).map(({ label, range }) => [label, `${range.ds} ${range.de}`]));

test("presets count from today, and All Time covers the limits", () => {
  expect(presets({ ds: "2015-03-30", de: "2026-03-01" })).toEqual({
    Today: "2026-03-01 2026-03-01",
    Yesterday: "2026-02-28 2026-02-28",
    "Last 7 days": "2026-02-23 2026-03-01",
    "Last 30 days": "2026-01-31 2026-03-01",
    "This month": "2026-03-01 2026-03-01",
    "Last month": "2026-02-01 2026-02-28",
    "All Time": "2015-03-30 2026-03-01",
  });
});

test("All Time begins with the first event", () => {
  const limits = { ds: "2015-03-30", de: "2026-03-01" };
  expect(datePresets(limits, "2025-12-24").at(-1)?.range).toEqual({ ds: "2025-12-24", de: "2026-03-01" });
  expect(datePresets(limits, "2001-01-01").at(-1)?.range.ds).toBe("2015-03-30");
});

test("no preset begins before the first selectable day", () => {
  expect(Object.keys(presets({ ds: "2026-02-25", de: "2026-03-01" }))).toEqual([
    "Today",
    "Yesterday",
    "This month",
    "All Time",
  ]);
});
