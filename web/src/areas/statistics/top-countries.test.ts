import type { StatRow } from "@millrace/contract";
import { expect, test } from "vitest";
import { NOT_COMPARED } from "../../testing/some-apps.ts";
import { topCountries } from "./top-countries.ts";

const country = (id: string, revenue: number, some: Partial<StatRow> = {}): StatRow => ({
  id,
  name: id,
  uniques: revenue,
  sessions: revenue,
  requests: 1,
  impressions: 1,
  clicks: 0,
  fillrate: 100,
  ctr: 0,
  ecpm: revenue,
  revenue,
  ...NOT_COMPARED,
  ...some,
});

test("the first countries by a figure are listed, and the others are summed up", () => {
  const rows = [country("DE", 3), country("US", 9), country("FR", 1), country("BR", 2), country("XX", 0)];
  const { top, others } = topCountries(rows, "revenue", 2);
  expect(top.map(({ id }) => id)).toEqual(["US", "DE"]);
  expect(others).toEqual({ count: 2, value: 3, before: null, ecpm: 1500 });
});

test("the others have a change if each of them has one", () => {
  const rows = [country("US", 9), country("DE", 3, { last_revenue: 2 }), country("FR", 1, { last_revenue: 0 })];
  expect(topCountries(rows, "revenue", 1).others).toMatchObject({ value: 4, before: 2 });
});

test("devices are not summed up, because one can be in two countries", () => {
  expect(topCountries([country("DE", 3), country("US", 9)], "uniques", 1).others).toBeNull();
});

test("a figure that the filters leave without values has no countries", () => {
  expect(topCountries([country("DE", 3, { sessions: null })], "sessions", 5)).toEqual({ top: [], others: null });
});
