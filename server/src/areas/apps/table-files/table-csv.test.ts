import { expect, test } from "vitest";
import { countTurns } from "../../../platform/testing/count-turns.ts";
import { csvOf } from "./table-csv.ts";

test("a table without rows has its heads, and only texts of others are kept from being formulas", async () => {
  expect(await csvOf(["Zone", "Change"], [], () => [])).toBe("Zone,Change\r\n");
  expect(await csvOf(["Zone", "Change"], [1], () => ['=1+1,"', "-5"])).toBe(`Zone,Change\r\n"'=1+1,""",-5\r\n`);
});

test("others have their turns while a long table is written, of which no row is missing", async () => {
  const rows = Array.from({ length: 20_000 }, (_, nth) => nth);
  const counted = countTurns();
  const csv = await csvOf(["Zone", "Requests"], rows, (nth) => [`zone ${nth}`, nth]);
  expect(counted()).toBeGreaterThan(10);
  expect(csv).toBe(`Zone,Requests\r\n${rows.map((nth) => `zone ${nth},${nth}\r\n`).join("")}`);
});
