import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "../../shared/filters/address.ts";
import type { RequestsFilter } from "../../shared/requests-link.tsx";
import { auctionIdIn, countFilters, readRequestsAddress } from "./requests-address.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const uuid = "69e8f479-609e-4d5a-bb71-5e45e452bc07";
const list = (...values: string[]) => fc.uniqueArray(fc.constantFrom(...values));

test("a link with filters opens the list with the same filters", () => {
  const filter = fc.record({
    zone: list("home", "level:end", "A.b"),
    country: list("US", "DE", "XX"),
    outcome: fc.constantFrom(undefined, "sold" as const, "no_ad" as const),
    reason: list("no_demand", "timeout"),
    partner: list("lab-games", "inmobi"),
    winner: list("lab-games", "inmobi"),
  });
  fc.assert(
    fc.property(filter, (asked) => {
      const linked: RequestsFilter = { ds: "2026-11-18", de: "2026-11-19", ...asked };
      const read = readRequestsAddress(parseSearch(stringifySearch({ ...linked })), NOW);
      expect(read).toEqual({ ds: "2026-11-18", de: "2026-11-19", format: [], ...asked });
      expect(readRequestsAddress(parseSearch(stringifySearch({ ...read })), NOW)).toEqual(read);
    }),
  );
});

test("invalid filters are dropped, and the days are yesterday and today without any", () => {
  const read = readRequestsAddress(parseSearch("?zone=a/b&reason=No&outcome=maybe&partner='&country=usa"), NOW);
  expect(read).toMatchObject({ ds: "2026-11-19", de: "2026-11-20", zone: [], reason: [], partner: [], country: [] });
  expect(countFilters(read)).toBe(0);
  expect(countFilters({ ...read, outcome: "sold", zone: ["a", "b"] })).toBe(2);
});

test("an auction's id is found in whatever was pasted", () => {
  expect(auctionIdIn(`  ${uuid.toUpperCase()}\n`)).toBe(uuid);
  expect(auctionIdIn(`https://millrace.example/auctions/${uuid}?imp=1`)).toBe(uuid);
  expect([auctionIdIn(""), auctionIdIn("69e8f479")]).toEqual([null, null]);
});
