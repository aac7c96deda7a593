import { GppModel } from "@iabgpp/cmpapi";
import { GVL, PurposeRestriction, type RestrictionType, TCModel, TCString } from "@iabtechlabtcf/core";

// Strings of the IAB's own encoders verify our readers.

/** A user's choices and the publisher's restrictions. */
export interface TcfChoices {
  vendors?: number[];
  purposes?: number[];
  /** Vendors and purposes with a disclosed legitimate interest and no objection. */
  interestVendors?: number[];
  interestPurposes?: number[];
  specialFeatures?: number[];
  restrictions?: { vendor: number; purpose: number; type: RestrictionType }[];
  /** Vendors disclosed to the user: those of the list unless given. With null, the string has no such segment. */
  disclosed?: number[] | null;
  /** When the user chose. */
  created?: Date;
}

export interface TestVendor {
  id: number;
  name: string;
  purposes: number[];
  legIntPurposes: number[];
  flexiblePurposes: number[];
  specialFeatures: number[];
}

const vendor = (id: number, more: Partial<TestVendor>): TestVendor => ({
  id,
  name: `Vendor ${id}`,
  purposes: [],
  legIntPurposes: [],
  flexiblePurposes: [],
  specialFeatures: [],
  ...more,
});

/** Chooses basic ads by legitimate interest, and lets publishers ask for consent instead. */
export const INTERESTED = vendor(52, {
  purposes: [1, 3, 4],
  legIntPurposes: [2, 7],
  flexiblePurposes: [2],
  specialFeatures: [1],
});
/** Requires consent for everything and uses no locations. */
export const CONSENTED = vendor(91, { purposes: [1, 2, 3, 4, 7] });
/** Is on none of the platform's lists. */
export const UNLISTED = vendor(300, { purposes: [1, 2, 3, 4], legIntPurposes: [7], specialFeatures: [1] });

/** A Global Vendor List of these. */
export const vendorListOf = (vendors: readonly TestVendor[]) => ({
  gvlSpecificationVersion: 3,
  vendorListVersion: 1,
  tcfPolicyVersion: 5,
  lastUpdated: "2026-01-01T00:00:00Z",
  purposes: named(11),
  specialPurposes: named(3),
  features: named(3),
  specialFeatures: named(2),
  dataCategories: {},
  stacks: {},
  vendors: Object.fromEntries(
    vendors.map((each) => [each.id, { specialPurposes: [], features: [], cookieMaxAgeSeconds: 0, ...each }]),
  ),
});

const named = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [index + 1, { id: index + 1, name: `${index + 1}` }]));

/** A TCF 2 string. */
export function tcf(choices: TcfChoices, vendors: readonly TestVendor[] = [INTERESTED, CONSENTED, UNLISTED]): string {
  const list = new GVL(vendorListOf(vendors) as unknown as ConstructorParameters<typeof GVL>[0]);
  const model = new TCModel(list);
  model.cmpId = 10;
  model.cmpVersion = 1;
  model.consentScreen = 1;
  model.consentLanguage = "EN";
  model.publisherCountryCode = "DE";
  model.isServiceSpecific = true;
  model.vendorConsents.set(choices.vendors ?? []);
  model.purposeConsents.set(choices.purposes ?? []);
  model.vendorLegitimateInterests.set(choices.interestVendors ?? []);
  model.purposeLegitimateInterests.set(choices.interestPurposes ?? []);
  model.specialFeatureOptins.set(choices.specialFeatures ?? []);
  model.publisherRestrictions.gvl = list;
  for (const { vendor: id, purpose, type } of choices.restrictions ?? []) {
    model.publisherRestrictions.add(id, new PurposeRestriction(purpose, type));
  }
  model.vendorsDisclosed.set(choices.disclosed ?? vendors.map(({ id }) => id));
  if (choices.created) model.created = choices.created;
  const text = TCString.encode(model);
  return choices.disclosed === null ? (text.split(".")[0] ?? "") : text;
}

/** A publisher's restriction in a TCF Canada section, as the library takes one. */
export const restriction = (purpose: number, type: number, ids: number[]) => ({
  getKey: () => purpose,
  getType: () => type,
  getIds: () => ids,
});

/** A GPP string with these sections; `tcfeuv2` as a TCF string, others by their fields. */
export function gpp(sections: Record<string, Record<string, unknown> | string>): string {
  const model = new GppModel();
  for (const [name, fields] of Object.entries(sections)) {
    if (typeof fields === "string") model.decodeSection(name, fields);
    else for (const [field, value] of Object.entries(fields)) model.setFieldValue(name, field, value);
  }
  return model.encode();
}
