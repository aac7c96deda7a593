import { expect, test } from "vitest";
import { somePartner } from "../testing/some-partner.ts";
import { fieldsOf, partnerFaults, type PartnerFields, settingsOf } from "./partner-fields.ts";

const filled = (more: Partial<PartnerFields> = {}): PartnerFields => ({ ...fieldsOf(somePartner()), ...more });
const faultsOf = (more: Partial<PartnerFields>) => partnerFaults(somePartner(), filled(more));

test("settings that are not changed are saved as they were, and credentials stay", () => {
  const { credentials: _, ...same } = somePartner().settings;
  expect(settingsOf(somePartner(), filled())).toEqual({ ...same, credentials: null });
  expect(faultsOf({})).toEqual({});
});

test("typed lines become names with values, and empty fields nothing", () => {
  const settings = settingsOf(
    somePartner(),
    filled({
      headers: " x-a : 1\n\nx-b: http://b.example/ ",
      platform_ids: "",
      credentials: "authorization: Bearer a:b",
      app_ads_lines: "example.com, 1, DIRECT\n\n",
      qps_limit: "1,000",
      gvl_id: "",
      currency: "eur",
      schain_asi: "",
      schain_sid: "",
    }),
  );
  expect(settings).toMatchObject({
    headers: { "x-a": "1", "x-b": "http://b.example/" },
    platform_ids: {},
    credentials: { authorization: "Bearer a:b" },
    app_ads_lines: ["example.com, 1, DIRECT"],
    qps_limit: 1000,
    gvl_id: null,
    currency: "EUR",
    schain_node: null,
  });
  expect(settingsOf(somePartner(), filled({ forget: true })).credentials).toEqual({});
});

test("the endpoints of the chosen regions are saved; one that is not chosen has none", () => {
  const typed = { endpoint_americas: " https://us.bids.example ", endpoint_apac: "https://sg.bids.example" };
  expect(settingsOf(somePartner(), filled(typed))).toMatchObject({
    regions: ["americas", "emea"],
    region_endpoints: { americas: "https://us.bids.example", emea: "https://eu.bids.example/openrtb2" },
  });
  expect(settingsOf(somePartner(), filled({ regions: ["americas"] })).region_endpoints).toEqual({});
  // What is hidden cannot be at fault.
  expect(faultsOf({ regions: ["americas"], endpoint_emea: "eu.example" })).toEqual({});
});

test.each([
  [{ headers: "no colon" }, { headers: "Use lines like name: value" }],
  [{ qps_limit: "many" }, { qps_limit: "Use a number" }],
  [{ gvl_id: "70000" }, { gvl_id: expect.any(String) as unknown }],
  [{ endpoint: "example.com" }, { endpoint: "Use an address like https://bids.example.com/openrtb" }],
  [{ currency: "euro" }, { currency: "Use a code like EUR" }],
  [{ schain_asi: "no domain" }, { schain_asi: "Use a domain like example.com" }],
  [{ schain_asi: "a.example", schain_sid: "" }, { schain_sid: "This field is required" }],
  [{ media_types: [] }, { media_types: "Choose at least one" }],
  [{ platforms: [] }, { platforms: "Choose at least one" }],
  [{ regions: [] }, { regions: "Choose at least one" }],
  [{ endpoint_emea: "eu.example" }, { endpoint_emea: "Use an address like https://bids.example.com/openrtb" }],
])("%j is refused at its field", (wrong, faults) => {
  expect(faultsOf(wrong)).toEqual(faults);
});
