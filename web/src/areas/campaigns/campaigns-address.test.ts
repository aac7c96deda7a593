import { expect, test } from "vitest";
import { readCampaignsAddress, writeCampaignsAddress } from "./campaigns-address.ts";

const NOW = Date.parse("2026-11-20T15:00:00Z");

test("the list shows yesterday and today by default", () => {
  expect(readCampaignsAddress({}, NOW)).toEqual({ ds: "2026-11-19", de: "2026-11-20", search: "", p: 0 });
});

test("invalid values are dropped, and dates are corrected", () => {
  const search = { ds: "2026-12-01", de: "2014-01-01", search: ["a"], p: "-1", format: "banner" };
  expect(readCampaignsAddress(search, NOW)).toEqual({ ds: "2015-03-30", de: "2026-11-20", search: "", p: 0 });
});

test("the address keeps the days, and the rest only if it is set", () => {
  const days = { ds: "2026-11-01", de: "2026-11-02" };
  expect(writeCampaignsAddress({ ...days, search: "", p: 0 })).toEqual({ ...days, search: undefined, p: undefined });
  expect(writeCampaignsAddress({ ...days, search: "tide", p: 2 })).toEqual({ ...days, search: "tide", p: 2 });
});
