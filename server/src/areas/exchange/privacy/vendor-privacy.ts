import { GppModel } from "@iabgpp/cmpapi";
import { PurposeRestriction, RestrictionType, TCModel } from "@iabtechlabtcf/core";
import type { SignalEffect, VendorPrivacy } from "@millrace/contract";
import type { BidRequest, Device, Regs } from "@millrace/openrtb";
import { partsOfFields, partsRemovedBy } from "./privacy-table.ts";
import { privacyOf } from "./privacy-of.ts";
import { GPP_SECTION } from "./read-gpp.ts";
import { permissionsIn } from "./read-tcf.ts";
import { redactRequest } from "./redact-request.ts";
import type { VendorList } from "./vendor-list.ts";

/** What a user and a publisher have chosen in a TCF string. By default everything is allowed. */
interface TcfChoices {
  purposes?: readonly number[];
  interests?: readonly number[];
  specialFeatures?: readonly number[];
  /** The publisher's restriction of purpose 2. */
  basicAds?: RestrictionType;
  isDisclosed?: boolean;
}

interface Signal {
  framework: string;
  signal: string;
  regs?: Regs;
  device?: Device;
  /** Null for none, where the GDPR applies. */
  tcf?: TcfChoices | null;
}

const PURPOSES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const without = (...refused: number[]) => PURPOSES.filter((purpose) => !refused.includes(purpose));
/** The policies of TCF 2.2, under which legitimate interest covers no profiles. */
const POLICY_VERSION = 4;
/** Stands for the string, which is not encoded: the permissions are read from the choices. */
const SOME_STRING = "tcf";
const ANOTHER_VENDOR = 1;

const usNational = (field: string, value: unknown): Regs => {
  const model = new GppModel();
  model.setFieldValue("usnat", field, value);
  return { gpp: model.encode(), gpp_sid: [7] };
};
const canada = (purposes: readonly number[], vendorId: number): Regs => {
  const model = new GppModel();
  model.setFieldValue("tcfcav1", "VendorExpressConsent", [vendorId]);
  model.setFieldValue(
    "tcfcav1",
    "PurposesExpressConsent",
    Array.from({ length: 24 }, (_, index) => purposes.includes(index + 1)),
  );
  model.setFieldValue("tcfcav1", "SpecialFeatureExpressConsent", [true, ...Array.from({ length: 11 }, () => false)]);
  return { gpp: model.encode(), gpp_sid: [GPP_SECTION.tcfCanada] };
};
/** Eighth of sixteen: precise geolocation. */
const SENSITIVE_LOCATION = Array.from({ length: 16 }, (_, index) => (index === 7 ? 1 : 0));

function tcfSignals(): Signal[] {
  const signals: [string, TcfChoices | null][] = [
    ["Consent to everything", {}],
    ["No consent string", null],
    ["Everything refused and objected to", { purposes: [], interests: [], specialFeatures: [] }],
    ["Purpose 1 refused: storage on the device", { purposes: without(1) }],
    ["Purpose 2 refused: basic ads, no objection to legitimate interest", { purposes: without(2) }],
    ["Purpose 2 refused, and an objection to legitimate interest", { purposes: without(2), interests: without(2) }],
    ["Objection to legitimate interest in purpose 2, with consent", { interests: without(2) }],
    ["Purposes 3 and 4 refused: personalised ads", { purposes: without(3, 4) }],
    ["Special feature 1 refused: precise location", { specialFeatures: [] }],
    ["Purpose 2 forbidden by the publisher", { basicAds: RestrictionType.NOT_ALLOWED }],
    [
      "Purpose 2 refused, where the publisher requires consent",
      { purposes: without(2), basicAds: RestrictionType.REQUIRE_CONSENT },
    ],
    [
      "Objection to purpose 2, where the publisher requires legitimate interest",
      { interests: without(2), basicAds: RestrictionType.REQUIRE_LI },
    ],
    ["Vendor not disclosed to the user", { isDisclosed: false }],
  ];
  return signals.map(([signal, tcf]) => ({ framework: "TCF (GDPR)", signal, tcf }));
}

function otherSignals(gvlId: number | undefined): Signal[] {
  // Nobody without an id is in a string.
  const inCanada = (purposes: readonly number[]) => canada(purposes, gvlId ?? ANOTHER_VENDOR);
  return [
    { framework: "None", signal: "No privacy signal" },
    { framework: "Device", signal: "Limited ad tracking (lmt)", device: { lmt: 1 } },
    { framework: "Device", signal: "Do not track (dnt)", device: { dnt: 1 } },
    ...["not asked", "restricted", "denied"].map((state, atts) => ({
      framework: "Device",
      signal: `App Tracking Transparency: ${state} (atts ${atts})`,
      device: { ext: { atts } },
    })),
    { framework: "COPPA", signal: "Child-directed, or a child (coppa)", regs: { coppa: 1 } },
    { framework: "US Privacy", signal: "Opted out of sale (1YYN)", regs: { us_privacy: "1YYN" } },
    { framework: "US Privacy", signal: "A string that cannot be read", regs: { us_privacy: "yes" } },
    { framework: "Browser", signal: "Global Privacy Control", regs: { ext: { gpc: "1" } } },
    { framework: "GPP, US", signal: "Opted out of sale", regs: usNational("SaleOptOut", 1) },
    {
      framework: "GPP, US",
      signal: "Opted out of targeted advertising",
      regs: usNational("TargetedAdvertisingOptOut", 1),
    },
    {
      framework: "GPP, US",
      signal: "Opted out of the use of sensitive data",
      regs: usNational("SensitiveDataProcessing", SENSITIVE_LOCATION),
    },
    { framework: "GPP, US", signal: "A section that applies is missing", regs: { gpp_sid: [7] } },
    { framework: "GPP, Canada", signal: "Express consent to everything", regs: inCanada(PURPOSES) },
    { framework: "GPP, Canada", signal: "Purpose 2 refused: basic ads", regs: inCanada(without(2)) },
    { framework: "GPP, Canada", signal: "Purposes 3 and 4 refused: personalised ads", regs: inCanada(without(3, 4)) },
  ];
}

/** A request with every kind of personal data. */
const FULL: BidRequest = {
  id: "1",
  imp: [{ id: "1" }],
  device: {
    ifa: "38400000-8cf0-11bd-b23e-10b96e40000d",
    ip: "192.0.2.7",
    geo: { country: "DEU", lat: 52.5, lon: 13.4 },
  },
  user: {
    id: "1",
    buyeruid: "1",
    yob: 1990,
    eids: [{ source: "ids.example", uids: [{ id: "1" }] }],
  },
};

/**
 * What each privacy signal withholds from a partner of this vendor id. Every line is a request with all personal data, put through
 * the functions that auctions use.
 */
export function vendorPrivacy(vendors: VendorList, gvlId: number | undefined): VendorPrivacy {
  const declared = gvlId === undefined ? undefined : vendors.get(gvlId);
  const effectOf = ({ framework, signal, regs, device, tcf }: Signal): SignalEffect => {
    const isTcf = tcf !== undefined;
    const request: BidRequest = {
      ...FULL,
      device: { ...FULL.device, ...device },
      user: { ...FULL.user, ...(tcf && { consent: SOME_STRING }) },
      regs: { ...regs, ...(isTcf && { gdpr: 1 }) },
    };
    const privacy = privacyOf(request, (_, vendorId) =>
      tcf ? permissionsIn(modelOf(tcf, vendorId), vendorId, declared) : 0,
    );
    const asked = privacy.mayAsk(gvlId);
    const { removed } = redactRequest(request, partsRemovedBy(privacy.rulesFor(gvlId)));
    return { framework, signal, asked, withheld: asked ? partsOfFields(removed) : [] };
  };
  return {
    declared: declared
      ? {
          name: declared.name,
          consent: declared.purposes,
          legitimate_interest: declared.legIntPurposes,
          flexible: declared.flexiblePurposes,
          special_features: declared.specialFeatures,
        }
      : null,
    signals: [...tcfSignals(), ...otherSignals(gvlId)].map(effectOf),
  };
}

function modelOf(choices: TcfChoices, vendorId: number): TCModel {
  const { purposes = PURPOSES, interests = PURPOSES, specialFeatures = [1, 2], basicAds, isDisclosed = true } = choices;
  const model = new TCModel();
  model.policyVersion = POLICY_VERSION;
  model.purposeConsents.set([...purposes]);
  model.purposeLegitimateInterests.set([...interests]);
  model.specialFeatureOptins.set([...specialFeatures]);
  model.vendorConsents.set(vendorId);
  model.vendorLegitimateInterests.set(vendorId);
  if (basicAds !== undefined) model.publisherRestrictions.add(vendorId, new PurposeRestriction(2, basicAds));
  const another = vendorId === ANOTHER_VENDOR ? ANOTHER_VENDOR + 1 : ANOTHER_VENDOR;
  model.vendorsDisclosed.set(isDisclosed ? vendorId : another);
  return model;
}
