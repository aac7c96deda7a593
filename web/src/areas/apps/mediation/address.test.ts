import { expect, test } from "vitest";
import { chosenPartners, readMediationAddress, writeMediationAddress } from "./address.ts";

const NOW = Date.parse("2024-11-19T12:00:00Z");

test("without a query the page shows the last seven days of all formats and countries", () => {
  expect(readMediationAddress({}, NOW)).toEqual({
    ds: "2024-11-13",
    de: "2024-11-19",
    format: undefined,
    country: undefined,
    floor: undefined,
    partner: [],
  });
});

test("an address is read back as it was written, and anything unknown is dropped", () => {
  const address = readMediationAddress(
    { ds: "2024-11-01", de: "2024-11-02", country: "US", format: "banner", floor: "any", partner: ["a", "b", "c"] },
    NOW,
  );
  expect(address).toMatchObject({ country: "US", format: "banner", floor: "any", partner: ["a", "b"] });
  expect(readMediationAddress(writeMediationAddress(address), NOW)).toEqual(address);
  expect(readMediationAddress({ country: "usa", format: "poster", floor: "first", partner: "<b>" }, NOW)).toMatchObject(
    {
      country: undefined,
      format: undefined,
      floor: undefined,
      partner: [],
    },
  );
});

test("two partners are compared at most: a third takes the place of the second", () => {
  expect(chosenPartners([], "a")).toEqual(["a"]);
  expect(chosenPartners(["a"], "b")).toEqual(["a", "b"]);
  expect(chosenPartners(["a", "b"], "c")).toEqual(["a", "c"]);
  expect(chosenPartners(["a", "b"], "a")).toEqual(["b"]);
});
