import { COMPARISONS, FORMATS, VIEWS } from "@millrace/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type StatsAddress,
  parseSearch,
  readFilter,
  readListAddress,
  readStatsAddress,
  stringifySearch,
  writeAddress,
} from "./address.ts";

const NOW = Date.parse("2026-11-20T05:00:00Z");

const statsAt = (address: string) => readStatsAddress(parseSearch(address), NOW);
const listAt = (address: string) => readListAddress(parseSearch(address), NOW);

test("an empty address means yesterday to today, without filters, by date from the newest", () => {
  expect(statsAt("")).toEqual({
    ds: "2026-11-19",
    de: "2026-11-20",
    provider: [],
    format: [],
    country: [],
    compare: "previous",
    view: "date",
    order: "name",
    order_type: "desc",
    metric: "revenue",
  });
});

test("repeated keys are a list, without an index", () => {
  const address = statsAt("?format=banner&format=video&country=DE");
  expect(address.format).toEqual(["banner", "video"]);
  expect(stringifySearch(writeAddress(address))).toBe(
    "?ds=2026-11-19&de=2026-11-20&format=banner&format=video&country=DE",
  );
});

test("rows other than days are ordered by revenue, and an address names only another order", () => {
  const byCountry = statsAt("?view=country");
  expect(byCountry).toMatchObject({ order: "revenue", order_type: "desc" });
  expect(stringifySearch(writeAddress(byCountry))).toBe("?ds=2026-11-19&de=2026-11-20&view=country");
  const byName = statsAt("?view=country&order=name&order_type=asc");
  expect(stringifySearch(writeAddress(byName))).toContain("&view=country&order=name&order_type=asc");
  expect(listAt("")).toMatchObject({ order: "revenue", order_type: "desc" });
});

test("an address names what the days are compared with, unless it is the days before", () => {
  expect(stringifySearch(writeAddress(statsAt("?compare=weekdays")))).toContain("&compare=weekdays");
  expect(stringifySearch(writeAddress(listAt("?compare=previous")))).not.toContain("compare");
  expect([statsAt("?compare=none").compare, statsAt("?compare=moon").compare]).toEqual(["none", "previous"]);
});

test("a '0' among the values means all", () => {
  expect(statsAt("?format=banner&format=0").format).toEqual([]);
});

test("unknown parameters are left out", () => {
  const address = statsAt(
    "?format=hologram&country=germany&provider=%27%3B--&view=galaxy&order=luck&order_type=up&metric=x",
  );
  expect(address).toEqual(statsAt(""));
});

test("reversed dates are swapped", () => {
  expect(readFilter(parseSearch("?ds=2026-11-10&de=2026-11-01"), NOW)).toMatchObject({
    ds: "2026-11-01",
    de: "2026-11-10",
  });
});

test("dates outside of the limits are clamped", () => {
  expect(readFilter(parseSearch("?ds=2001-01-01&de=2030-01-01"), NOW)).toMatchObject({
    ds: "2015-03-30",
    de: "2026-11-20",
  });
});

test("invalid days are ignored", () => {
  expect(readFilter(parseSearch("?ds=2026-02-30&de=2026-11-18"), NOW)).toMatchObject({
    ds: "2026-11-17",
    de: "2026-11-18",
  });
});

test("a negative or invalid page number means the first page", () => {
  expect([listAt("?p=-3").p, listAt("?p=x").p, listAt("?p=1.5").p, listAt("?p=2").p]).toEqual([0, 0, 0, 2]);
});

test("the list's search and app are in the address", () => {
  const address = listAt("?search=tide&app_id=7&app_id=x&order=name&order_type=asc");
  expect(address).toMatchObject({ search: "tide", app_id: ["7"], order: "name", order_type: "asc" });
  expect(stringifySearch(writeAddress(address))).toContain("app_id=7&search=tide&order=name&order_type=asc");
});

const day = fc
  .date({ min: new Date("2015-03-30"), max: new Date(NOW), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const someAddress: fc.Arbitrary<StatsAddress> = fc
  .record({
    days: fc.tuple(day, day),
    provider: fc.uniqueArray(fc.constantFrom("inmobi", "loopme", "liftoff-2")),
    format: fc.uniqueArray(fc.constantFrom(...FORMATS)),
    country: fc.uniqueArray(fc.constantFrom("US", "DE", "XX")),
    compare: fc.constantFrom(...COMPARISONS),
    view: fc.constantFrom(...VIEWS),
    order: fc.constantFrom("name" as const, "revenue" as const),
    order_type: fc.constantFrom("asc" as const, "desc" as const),
    metric: fc.constantFrom("revenue" as const, "fillrate" as const),
  })
  .map(({ days: [a, b], ...rest }) => ({ ds: a < b ? a : b, de: a < b ? b : a, ...rest }));

test("a link opened elsewhere shows the same page", () => {
  fc.assert(
    fc.property(someAddress, (address) => {
      expect(readStatsAddress(parseSearch(stringifySearch(writeAddress(address))), NOW)).toEqual(address);
    }),
  );
});
