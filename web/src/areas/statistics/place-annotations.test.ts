import type { Annotation } from "@millrace/contract";
import { expect, test } from "vitest";
import { placeAnnotations } from "./place-annotations.ts";

const changed = (at: string, text = "SDK 1.0.0"): Annotation => ({
  at,
  kind: "sdk",
  text,
  who: null,
  app: { app_id: 7, uuid: "00000000-0000-4000-8000-000000000001", name: "Tide Puzzle" },
});

test("a change is marked at the day or hour in which it happened", () => {
  const at = (dates: string[], time: string) => placeAnnotations([changed(time)], dates).map((placed) => placed.at);
  expect(at(["2026-11-18", "2026-11-19"], "2026-11-18T23:59:59.000Z")).toEqual([0]);
  expect(at(["2026-11-18", "2026-11-19"], "2026-11-19T00:00:00.000Z")).toEqual([1]);
  expect(at(["2026-11-19T04:00:00Z", "2026-11-19T05:00:00Z"], "2026-11-19T04:30:00.000Z")).toEqual([0]);
  expect(at(["2026-11-19"], "2026-11-18T10:00:00.000Z")).toEqual([]);
});

test("of many changes, the newest are marked", () => {
  const many = Array.from({ length: 20 }, (_, hour) =>
    changed(`2026-11-19T${String(hour).padStart(2, "0")}:00:00.000Z`, `SDK 1.0.${hour}`),
  );
  const placed = placeAnnotations(many, ["2026-11-19"]);
  expect(placed).toHaveLength(8);
  expect(placed.at(-1)?.annotation).toBe(many.at(-1));
});

test("the same change of several apps on one day is one mark", () => {
  const other = { app_id: 8, uuid: "00000000-0000-4000-8000-000000000002", name: "Star Lanes" };
  const both = [changed("2026-11-19T00:00:00.000Z"), { ...changed("2026-11-19T00:00:00.000Z"), app: other }];
  const again = changed("2026-11-19T09:00:00.000Z");
  expect(placeAnnotations([...both, again], ["2026-11-19"]).map(({ apps }) => apps)).toEqual([2]);
});
