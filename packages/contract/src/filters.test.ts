import { expect, test } from "vitest";
import { EARLIEST_DATE } from "./constants.ts";
import { inOrder, narrowed, StatsFilter } from "./filters.ts";

const Filter = inOrder(StatsFilter);
const today = new Date().toISOString().slice(0, 10);

/** The wrong field; empty if the query is valid. */
function faultOf(query: object): string {
  const { error } = Filter.safeParse(query);
  return error?.issues.map(({ path, code }) => (code === "unrecognized_keys" ? code : path.join("."))).join() ?? "";
}

test("an empty query matches everything from yesterday and today", () => {
  const { ds, de, provider, format, country, app_id } = Filter.parse({});
  expect(Date.parse(de) - Date.parse(ds)).toBe(86_400_000);
  expect([provider, format, country, app_id].map(narrowed)).toEqual([null, null, null, null]);
});

test("single and repeated values narrow a filter, and '0' among them matches everything", () => {
  expect(narrowed(Filter.parse({ country: "DE" }).country)).toEqual(["DE"]);
  expect(narrowed(Filter.parse({ country: ["DE", "XX"] }).country)).toEqual(["DE", "XX"]);
  expect(narrowed(Filter.parse({ country: ["DE", "0"] }).country)).toBeNull();
});

test.each([
  [{ ds: "2026-02-30" }, "ds"],
  [{ ds: "2026-01-01T00:00:00Z" }, "ds"],
  [{ ds: "2015-03-29" }, "ds"],
  [{ de: "9999-12-31" }, "de"],
  [{ ds: today, de: EARLIEST_DATE }, "de"],
  [{ ds: ["2026-01-01", "2026-01-02"] }, "ds"],
  [{ country: "de" }, "country.0"],
  [{ country: "DE' OR 1=1" }, "country.0"],
  [{ format: "popup" }, "format.0"],
  [{ provider: "A".repeat(65) }, "provider.0"],
  [{ provider: "__proto__" }, "provider.0"],
  [{ app_id: "1e3" }, "app_id.0"],
  [{ app_id: { $gt: "" } }, "app_id.0"],
  [{ country: Array.from({ length: 301 }, () => "DE") }, "country"],
  [JSON.parse('{"__proto__":{"ds":"2026-01-01"}}'), "unrecognized_keys"],
  [{ user: "1" }, "unrecognized_keys"],
] as [object, string][])("the query %j is refused at %s", (query, field) => {
  expect(faultOf(query)).toBe(field);
});
