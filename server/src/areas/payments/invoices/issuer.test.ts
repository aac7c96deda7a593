import { expect, test } from "vitest";
import { StartError } from "../../../platform/start-error.ts";
import { assertIssuer, issuerOf } from "./issuer.ts";

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

const UNSET = {
  ...SET,
  name: undefined,
  address: undefined,
  country: undefined,
  vatId: undefined,
  prefix: undefined,
  from: undefined,
};

test("a wrong VAT id, or one without a country, stops the start with a sentence that names the setting", async () => {
  const wrong = { ...UNSET, country: "DE", vatId: "DE123" };
  const sentence = "The setting OPERATOR_VAT_ID is wrong: DE123 is no valid VAT ID of DE.";
  await expect(assertIssuer(wrong, false)).rejects.toThrow(new StartError(sentence));
  await expect(assertIssuer(wrong, true)).rejects.toThrow(new StartError(sentence));
  await expect(assertIssuer({ ...UNSET, vatId: SET.vatId }, false)).rejects.toThrow(
    new StartError("The setting OPERATOR_COUNTRY is missing: OPERATOR_VAT_ID is set without it."),
  );
});

test.each([
  [{ prefix: "EA", from: undefined }, "INVOICES_FROM is missing: INVOICE_PREFIX is set without it"],
  [{ prefix: undefined }, "INVOICE_PREFIX is missing: INVOICES_FROM is set without it"],
  [{ name: undefined }, "OPERATOR_NAME is missing: INVOICES_FROM is set without it"],
  [{ vatId: undefined }, "OPERATOR_VAT_ID is missing: INVOICES_FROM is set without it"],
])("invoices that are set by half, as by %j, stop the start instead of never being issued", async (half, sentence) => {
  await expect(assertIssuer({ ...SET, ...half }, false)).rejects.toThrow(new StartError(`The setting ${sentence}.`));
  // A demo fills in what is missing.
  await assertIssuer({ ...SET, ...half }, true);
});

test("a country without invoices stops the start only if there shall be invoices", async () => {
  const american = { ...SET, country: "US", vatId: "12-3456789" };
  await expect(assertIssuer(american, false)).rejects.toThrow(
    "The settings of invoices are wrong: OPERATOR_COUNTRY is US",
  );
  await assertIssuer({ ...american, prefix: undefined, from: undefined }, false);
});

test("the platform starts with all settings of invoices, with none, and with a name and an address for its legal pages", async () => {
  for (const settings of [SET, UNSET, { ...UNSET, name: SET.name, address: SET.address, country: "US" }])
    await expect(assertIssuer(settings, false)).resolves.toBeUndefined();
});
