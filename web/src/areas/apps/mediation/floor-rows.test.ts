import { FORMATS, setFloors } from "@millrace/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type FloorRow, floorFaults, floorsOf, meaningOf, rowsOf, withFloor } from "./floor-rows.ts";

const row = (change: Partial<FloorRow>): FloorRow => ({ key: 0, country: "", format: "", floor: "1", ...change });

test("floors are typed in dollars and kept to the micro", () => {
  expect(floorsOf([row({ country: "DE", format: "video", floor: "0.000001" })])).toEqual([
    { country: "DE", format: "video", floor: 1 },
  ]);
  expect(rowsOf([{ country: null, format: null, floor: 5_170_001 }])[0]?.floor).toBe("5.170001");
});

test.each([
  ["", "This field is required"],
  ["1,5", "Add an amount in $, with at most 6 decimals"],
  ["0.0000001", "Add an amount in $, with at most 6 decimals"],
  ["-1", "Add an amount in $, with at most 6 decimals"],
  ["1000.000001", "Must be at most $1,000"],
])("%j is refused: %s", (floor, fault) => {
  expect(floorFaults([row({ floor })]).get(0)).toBe(fault);
});

test("a country and format can be listed once", () => {
  const rows = [row({ key: 0, country: "US" }), row({ key: 1, country: "US" }), row({ key: 2 })];
  expect([...floorFaults(rows)]).toEqual([[1, "This country and format are listed twice"]]);
});

test("an amount in another notation is not a change", () => {
  expect(meaningOf([row({ floor: "1" })])).toBe(meaningOf([row({ key: 7, floor: "$1.00" })]));
  expect(meaningOf([row({ floor: "1" })])).not.toBe(meaningOf([row({ floor: "1.01" })]));
});

test("an amount typed for a rule changes its row, or adds one with its own key", () => {
  const us = row({ key: 4, country: "US", floor: "1" });
  expect(withFloor([us], { country: "US", format: "" }, "2", false)).toEqual([{ ...us, floor: "2" }]);
  expect(withFloor([us], { country: "DE", format: "video" }, "3", true)).toEqual([
    us,
    { key: 5, country: "DE", format: "video", floor: "3" },
  ]);
});

test("a new rule without an amount has no row, and a saved one keeps its row", () => {
  const us = row({ country: "US", floor: "1" });
  expect(withFloor([us], us, "", true)).toEqual([]);
  expect(withFloor([us], us, "", false)).toEqual([{ ...us, floor: "" }]);
});

test("saved floors are read back unchanged, and the call accepts them", () => {
  const floors = fc.uniqueArray(
    fc.record({
      country: fc.option(fc.constantFrom("US", "DE", "XX")),
      format: fc.option(fc.constantFrom(...FORMATS)),
      floor: fc.integer({ min: 0, max: 1_000_000_000 }),
    }),
    { selector: ({ country, format }) => `${country} ${format}` },
  );
  fc.assert(
    fc.property(floors, (saved) => {
      const rows = rowsOf(saved);
      expect(floorFaults(rows).size).toBe(0);
      expect(floorsOf(rows)).toEqual(saved);
      expect(setFloors.body.safeParse({ floors: floorsOf(rows) }).success).toBe(true);
    }),
  );
});
