import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "../../../shared/filters/address.ts";
import { readCampaignStatsAddress, writeCampaignStatsAddress } from "./campaign-address.ts";

const NOW = Date.parse("2026-11-20T05:00:00Z");
const UUID = "00000000-0000-4000-8000-000000000021";
const at = (address: string) => readCampaignStatsAddress(parseSearch(address), NOW);

test("an empty address means yesterday to today, without filters, by date from the newest", () => {
  expect(at("")).toEqual({
    ds: "2026-11-19",
    de: "2026-11-20",
    campaign: [],
    format: [],
    country: [],
    compare: "previous",
    view: "date",
    order: "name",
    order_type: "desc",
    metric: "costs",
  });
});

test("an address has the filters, and of the rest what is not usual", () => {
  const query = `?ds=2026-11-01&de=2026-11-19&campaign=${UUID}&format=image&country=DE&compare=none&view=creative&metric=ctr`;
  expect(stringifySearch(writeCampaignStatsAddress(at(query)))).toBe(query);
  expect(at(query)).toMatchObject({ order: "costs", order_type: "desc" });
});

test("unknown values are left out, and a '0' among them means all", () => {
  const query = `?campaign=7&format=audio&country=germany&compare=moon&view=zone&order=revenue&metric=revenue`;
  expect(at(query)).toEqual(at(""));
  expect(at(`?campaign=${UUID}&campaign=0`).campaign).toEqual([]);
});
