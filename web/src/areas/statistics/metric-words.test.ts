import { expect, test } from "vitest";
import { METRIC_WORDS, columnFormat } from "./metric-words.ts";

test("money below a cent keeps its digits in tiles, tables and on axes", () => {
  const { short, format, axis } = METRIC_WORDS.revenue;
  expect([short(4900), format(4900), axis(5000), axis(15_000)]).toEqual(["$0.0049", "$0.0049", "$0.005", "$0.015"]);
  expect([0, 500_000, 6_000_000, 6_500_000, 12_000_000_000].map(axis)).toEqual(["$0", "$0.50", "$6", "$6.50", "$12K"]);
});

test("all figures of a column have the same number of decimals", () => {
  expect([6_000_000, 18_944_000].map(columnFormat("revenue", [6_000_000, 18_944_000]))).toEqual(["$6.00", "$18.94"]);
  expect([6_000_000, 4900].map(columnFormat("revenue", [6_000_000, 4900]))).toEqual(["$6.0000", "$0.0049"]);
  expect([100, 88.5].map(columnFormat("fillrate", [100, 88.5]))).toEqual(["100.00%", "88.50%"]);
});
