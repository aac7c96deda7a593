import { expect, test } from "vitest";
import { issuerOf } from "./issuer.ts";

const SET = {
  name: "Example Ads",
  address: "1 Mill Lane",
  country: "DE",
  vatId: "de136695976",
  prefix: "EA",
  from: "2026-01-01",
  dueDays: 14,
  ossRegistered: false,
};

test("the settings name who issues, with the VAT id's prefix", async () => {
  expect(await issuerOf(SET)).toMatchObject({ issuer: { party: { name: "Example Ads", vatId: "DE136695976" } } });
});

test("what is missing is named setting by setting", async () => {
  expect(await issuerOf({ ...SET, address: undefined, from: undefined })).toEqual({
    missing: ["OPERATOR_ADDRESS is not set", "INVOICES_FROM is not set"],
  });
});

test("a country whose VAT is not handled, or another country's VAT id, issues nothing", async () => {
  expect(await issuerOf({ ...SET, country: "US" })).toEqual({
    missing: ["OPERATOR_COUNTRY is US: only the EU, the United Kingdom, Switzerland and Norway are handled"],
  });
  expect(await issuerOf({ ...SET, country: "FR" })).toEqual({ missing: ["OPERATOR_VAT_ID is no valid VAT id of FR"] });
});
