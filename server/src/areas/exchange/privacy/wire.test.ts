import { RestrictionType } from "@iabtechlabtcf/core";
import { expect, test } from "vitest";
import { askOpenrtb } from "../testing/ask-openrtb.ts";
import { askForAd, DEVICE, post, startSession } from "../testing/start-exchange.ts";
import { gpp, tcf, type TcfChoices } from "../testing/consent-strings.ts";
import { type PersonalPart, personalRequest, type Signals, personalDataIn } from "../testing/personal-request.ts";
import {
  ALL,
  type Asked,
  everybody,
  inBoth,
  NOTHING,
  privacyBidders,
  VERSIONS,
  without,
} from "../testing/privacy-bidders.ts";

const { at, bidders, toldUnder } = await privacyBidders();

const usnat = (fields: Record<string, unknown>): Signals["regs"] => ({ gpp: gpp({ usnat: fields }), gpp_sid: [7] });

test.each(
  inBoth<Signals, PersonalPart[]>([
    ["no signal at all", {}, ALL],
    ["limited ad tracking", { device: { lmt: 1 } }, NOTHING],
    ["do not track", { device: { dnt: 1 } }, NOTHING],
    ["allowed tracking", { device: { lmt: 0, dnt: 0 } }, ALL],
    ["an app that may not track (ATT 2)", { device: { ext: { atts: 2 } } }, NOTHING],
    ["an app that has not asked to track (ATT 0)", { device: { ext: { atts: 0 } } }, NOTHING],
    ["an app that may track (ATT 3)", { device: { ext: { atts: 3 } } }, ALL],
    ["a child (COPPA)", { regs: { coppa: 1 } }, NOTHING],
    ["US Privacy 1YYN", { regs: { us_privacy: "1YYN" } }, NOTHING],
    ["US Privacy 1YNN", { regs: { us_privacy: "1YNN" } }, ALL],
    ["US Privacy 1---", { regs: { us_privacy: "1---" } }, ALL],
    ["unreadable US Privacy", { regs: { us_privacy: "yes" } }, NOTHING],
    [
      "US Privacy in GPP only",
      { regs: { gpp: gpp({ uspv1: { Notice: "Y", OptOutSale: "Y" } }), gpp_sid: [6] } },
      NOTHING,
    ],
    [
      "GPP, US national: no opt-out",
      { regs: usnat({ SaleOptOut: 2, SharingOptOut: 2, TargetedAdvertisingOptOut: 2 }) },
      ALL,
    ],
    ["GPP, US national: sale", { regs: usnat({ SaleOptOut: 1 }) }, NOTHING],
    ["GPP, US national: sharing", { regs: usnat({ SharingOptOut: 1 }) }, NOTHING],
    ["GPP, US national: targeted advertising", { regs: usnat({ TargetedAdvertisingOptOut: 1 }) }, NOTHING],
    ["GPP, US national: Global Privacy Control", { regs: usnat({ SaleOptOut: 2, Gpc: true }) }, NOTHING],
    ["GPP, US national: a known child", { regs: usnat({ KnownChildSensitiveDataConsents: [1, 0, 0] }) }, NOTHING],
    ["GPP, US national: no consent to personal data", { regs: usnat({ PersonalDataConsents: 1 }) }, NOTHING],
    [
      "GPP, US national: sensitive data",
      { regs: usnat({ SensitiveDataProcessing: [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0] }) },
      without("address", "location", "profile"),
    ],
    ["GPP, California", { regs: { gpp: gpp({ usca: { SharingOptOut: 1 } }), gpp_sid: [8] } }, NOTHING],
    ["GPP, Virginia", { regs: { gpp: gpp({ usva: { TargetedAdvertisingOptOut: 1 } }), gpp_sid: [9] } }, NOTHING],
    ["GPP, Texas", { regs: { gpp: gpp({ ustx: { SaleOptOut: 1 } }), gpp_sid: [16] } }, NOTHING],
    [
      "GPP, Florida: no consent to additional processing",
      { regs: { gpp: gpp({ usfl: { AdditionalDataProcessingConsent: 1 } }), gpp_sid: [13] } },
      NOTHING,
    ],
    [
      "GPP, Montana: consent to additional processing",
      { regs: { gpp: gpp({ usmt: { AdditionalDataProcessingConsent: 2 } }), gpp_sid: [14] } },
      ALL,
    ],
    [
      "GPP with a section that does not apply",
      { regs: { gpp: gpp({ usnat: { SaleOptOut: 1 } }), gpp_sid: [-1] } },
      ALL,
    ],
    ["GPP that does not say which section applies", { regs: { gpp: gpp({ usnat: { SaleOptOut: 1 } }) } }, NOTHING],
    ["unreadable GPP", { regs: { gpp: "DBno~no", gpp_sid: [7] } }, NOTHING],
    [
      "GPP without the section that applies",
      { regs: { gpp: gpp({ usca: { SaleOptOut: 2 } }), gpp_sid: [7] } },
      NOTHING,
    ],
    ["Global Privacy Control of the browser", { regs: { ext: { gpc: "1" } } }, NOTHING],
  ]),
)("under %s in OpenRTB %s bidders get exactly what the table allows", async (_, version, signals, told) => {
  expect(await toldUnder(signals, version)).toEqual(everybody(told));
});

const all = { vendors: [52, 91, 300], purposes: [1, 2, 3, 4, 7], specialFeatures: [1] };
const interests = { interestVendors: [52, 91, 300], interestPurposes: [2, 7] };
const noLocation = without("address", "location");

test.each(
  inBoth<TcfChoices, Partial<Record<Asked, PersonalPart[]>>>([
    [
      "consent to everything and legitimate interest",
      { ...all, ...interests },
      // A vendor that has not declared the special feature gets no location.
      { interested: ALL, consented: noLocation, unlisted: ALL },
    ],
    ["consent for one vendor only", { ...all, vendors: [91] }, { consented: noLocation }],
    ["no consent to basic ads", { ...all, purposes: [1, 3, 4] }, {}],
    [
      "legitimate interest in basic ads only",
      { ...interests },
      // Without consent to purpose 1 the device must not be identified.
      { interested: NOTHING },
    ],
    [
      "legitimate interest in basic ads, and consent to storage",
      { ...interests, vendors: [52], purposes: [1] },
      { interested: ["deviceIds", "userIds"] },
    ],
    [
      "an objection to legitimate interest",
      { vendors: [52, 91], purposes: [1, 3, 4], interestVendors: [52], interestPurposes: [7] },
      {},
    ],
    [
      "no consent to storage",
      { ...all, ...interests, purposes: [2, 3, 4] },
      { interested: NOTHING, consented: NOTHING, unlisted: NOTHING },
    ],
    [
      "no consent to build a profile (purpose 3)",
      { ...all, ...interests, purposes: [1, 2, 4] },
      {
        interested: without("profile", "extendedIds"),
        consented: without("profile", "extendedIds", "address", "location"),
        unlisted: without("profile", "extendedIds"),
      },
    ],
    [
      "no consent to use a profile (purpose 4)",
      { ...all, ...interests, purposes: [1, 2, 3] },
      {
        interested: without("profile", "extendedIds"),
        consented: without("profile", "extendedIds", "address", "location"),
        unlisted: without("profile", "extendedIds"),
      },
    ],
    [
      "no opt-in to precise location (special feature 1)",
      { ...all, ...interests, specialFeatures: [] },
      { interested: noLocation, consented: noLocation, unlisted: noLocation },
    ],
    [
      "a purpose that the publisher forbids a vendor",
      { ...all, ...interests, restrictions: [{ vendor: 52, purpose: 2, type: RestrictionType.NOT_ALLOWED }] },
      { consented: noLocation, unlisted: ALL },
    ],
    [
      "a publisher that forbids a vendor to store",
      { ...all, ...interests, restrictions: [{ vendor: 52, purpose: 1, type: RestrictionType.NOT_ALLOWED }] },
      { interested: NOTHING, consented: noLocation, unlisted: ALL },
    ],
    [
      "a publisher that requires consent where the vendor has an interest",
      {
        ...interests,
        vendors: [52],
        purposes: [1, 3, 4],
        specialFeatures: [1],
        restrictions: [{ vendor: 52, purpose: 2, type: RestrictionType.REQUIRE_CONSENT }],
      },
      {},
    ],
    [
      "consent that a publisher requires, and that was given",
      {
        ...all,
        vendors: [52],
        restrictions: [{ vendor: 52, purpose: 2, type: RestrictionType.REQUIRE_CONSENT }],
      },
      { interested: ALL },
    ],
    [
      "vendors that were not disclosed to the user",
      { ...all, ...interests, disclosed: [91] },
      { consented: noLocation },
    ],
  ]),
)(
  "under a TCF string with %s in OpenRTB %s each bidder gets what its vendor may know",
  async (_, version, choices, told) => {
    const expected = { interested: null, consented: null, unlisted: null, nameless: null, ...told };
    const consent = tcf(choices);
    expect(await toldUnder({ regs: { gdpr: 1 }, consent }, version)).toEqual(expected);
  },
);

test.each(VERSIONS)("a TCF string in GPP only is read, in OpenRTB %s", async (version) => {
  const consent = tcf({ ...all, vendors: [91] });
  const regs = { gpp: gpp({ tcfeuv2: consent }), gpp_sid: [2] };
  expect(await toldUnder({ regs }, version)).toEqual({
    interested: null,
    consented: noLocation,
    unlisted: null,
    nameless: null,
  });
});

test.each(
  inBoth<Signals, boolean>([
    ["its own place", { consent: tcf({ ...all, vendors: [91] }) }, true],
    ["GPP", { regs: { gpp: gpp({ tcfeuv2: tcf({ ...all, vendors: [91] }) }) } }, true],
    ["GPP alone", { regs: { gpp: gpp({ tcfeuv2: tcf({ ...all, vendors: [91] }) }) }, consent: "" }, true],
    ["its own place, where the GDPR does not apply", { regs: { gdpr: 0 }, consent: tcf(all) }, false],
    ["GPP, where another section applies", { regs: usnat({ SaleOptOut: 2 }), consent: tcf(all) }, false],
  ]),
)(
  "a TCF string in %s of OpenRTB %s is kept to unless something says that it does not apply",
  async (_, version, signals, isKept) => {
    const told = isKept ? { interested: null, consented: noLocation, unlisted: null, nameless: null } : everybody(ALL);
    expect(await toldUnder(signals, version)).toEqual(told);
  },
);

test.each([
  ["US Privacy", { us_privacy: "", ext: { us_privacy: "1YYN" } }],
  ["GPP", { gpp: "", gpp_sid: [], ext: { gpp: gpp({ usca: { SaleOptOut: 1 } }), gpp_sid: [8] } }],
] as const)(
  "an empty value of %s does not hide the opt-out at the place of OpenRTB 2.5, which bidders of that version are sent",
  async (_, { ext, ...empty }) => {
    expect(await toldUnder({ regs: { ...empty, ext } } as Signals, "2.6")).toEqual(everybody(NOTHING));
    expect(bidders.consented.requests[0]).toMatchObject({ regs: { ext } });
  },
);

test("a browser's Global Privacy Control counts in OpenRTB, SDK and VAST calls", async () => {
  const headers = { "sec-gpc": "1", "x-forwarded-for": "81.2.69.142" };
  const { ifa } = personalRequest({}, "2.6").device ?? {};
  const device = { ...DEVICE, ifa, lmt: 0 };
  await post(at.exchange, "/openrtb2/auction", personalRequest({}, "2.6"), headers);
  await askForAd(at.exchange, await startSession(at.exchange, at.app, { device }), { device }, headers);
  await at.exchange.app.inject({ method: "GET", url: `/vast?app=${at.app.uuid}&zone=a&ifa=${ifa}&lmt=0`, headers });
  const { requests } = bidders.interested;
  expect(requests.map(personalDataIn)).toEqual([[], [], []]);
  for (const request of requests) expect(request).toMatchObject({ regs: { ext: { gpc: "1" } } });
});

test.each(VERSIONS)(
  "if the GDPR applies and no string gives consent, nobody is asked, in OpenRTB %s",
  async (version) => {
    const nobody = { interested: null, consented: null, unlisted: null, nameless: null };
    expect(await toldUnder({ regs: { gdpr: 1 } }, version)).toEqual(nobody);
    expect(await toldUnder({ regs: { gdpr: 1 }, consent: "CPok" }, version)).toEqual(nobody);
    expect(await toldUnder({ regs: { gpp: "DBAA", gpp_sid: [2] } }, version)).toEqual(nobody);
  },
);

test.each(VERSIONS)("bidders get the signals that must be passed on, in OpenRTB %s", async (version) => {
  const consent = tcf({ ...interests });
  await askOpenrtb(at.exchange, personalRequest({ regs: { gdpr: 1, us_privacy: "1YNN" }, consent }, version));
  expect(bidders.interested.requests[0]).toMatchObject({
    regs: { gdpr: 1, us_privacy: "1YNN" },
    user: { consent },
    device: { lmt: 1, geo: { country: "DEU", region: "BE" }, ip: "81.2.69.0" },
  });
});

test.each(VERSIONS)(
  "bidders that read no GPP get its TCF and US Privacy strings where they read them, in OpenRTB %s",
  async (version) => {
    const consent = tcf({ ...all, ...interests });
    const regs = { gpp: gpp({ tcfeuv2: consent, uspv1: { Notice: "Y", OptOutSale: "Y" } }), gpp_sid: [2, 6] };
    await toldUnder({ regs }, version);
    const told = { regs: { gdpr: 1, us_privacy: "1YY-", ...regs }, user: { consent } };
    expect(bidders.interested.requests[0]).toMatchObject(told);
    expect(bidders.consented.requests[0]).toMatchObject({ regs: { ext: told.regs }, user: { ext: told.user } });
  },
);

test.each<[string, Signals, object]>([
  ["that the GDPR does not apply, by its list", { regs: usnat({ SaleOptOut: 2 }) }, { gdpr: 0 }],
  [
    "that no section applies",
    { regs: { gpp: gpp({ uspv1: { Notice: "Y", OptOutSale: "N" } }), gpp_sid: [-1] } },
    { gdpr: 0 },
  ],
  [
    "US Privacy at its own place too",
    { regs: { us_privacy: "1YNN", gpp: gpp({ uspv1: {} }) } },
    { us_privacy: "1YNN" },
  ],
])("of a request that says %s, bidders get that alone", async (_, signals, stated) => {
  await toldUnder(signals, "2.6");
  const { gpp: __, gpp_sid: ___, ...told } = bidders.nameless.requests[0]?.regs ?? {};
  expect([told, bidders.nameless.requests[0]?.user?.consent]).toEqual([stated, undefined]);
});
