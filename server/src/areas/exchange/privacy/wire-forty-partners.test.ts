import { RestrictionType } from "@iabtechlabtcf/core";
import type { BidRequest, Imp } from "@millrace/openrtb";
import { upgradeTo26 } from "@millrace/openrtb";
import { partners, type PartnerId } from "@millrace/partners";
import { keysAt, NAMED_PARTNERS } from "@millrace/partners/testing";
import { expect, test } from "vitest";
import { gpp, tcf, type TcfChoices, type TestVendor } from "../testing/consent-strings.ts";
import {
  PERSONAL_PARTS,
  type PersonalPart,
  personalDataIn,
  personalRequest,
  type Signals,
} from "../testing/personal-request.ts";
import { ALL, inBoth, NOTHING, without } from "../testing/privacy-bidders.ts";
import { OutboundRequests } from "./outbound-requests.ts";
import { consentFor, privacyOf } from "./privacy-of.ts";
import { tcfReader } from "./read-tcf.ts";

/** Every partner as a vendor that chooses basic ads by legitimate interest, and needs consent for all else. */
const VENDORS: TestVendor[] = NAMED_PARTNERS.flatMap((id) => {
  const { gvlId, name } = partners[id];
  if (gvlId === undefined) return [];
  return [
    { id: gvlId, name, purposes: [1, 3, 4], legIntPurposes: [2, 7], flexiblePurposes: [2], specialFeatures: [1] },
  ];
});
const VENDOR_IDS = VENDORS.map(({ id }) => id);
const mayByTcf = tcfReader(new Map(VENDORS.map((vendor) => [vendor.id, vendor])));

const PLACES: Partial<Imp>[] = [
  { banner: { w: 320, h: 50, format: [{ w: 320, h: 50 }] } },
  { video: { mimes: ["video/mp4"], maxduration: 30, protocols: [2, 3], w: 640, h: 360 } },
  { native: { request: '{"ver":"1.2","assets":[{"id":1,"required":1,"title":{"len":25}}]}', ver: "1.2" } },
];

/** More places at which a device's or a user's data may stand. */
function withMoreCanaries(request: BidRequest): BidRequest {
  const { device, user } = request;
  return {
    ...request,
    device: { ...device, ipv6: "2001:db8:77:77::77", macsha1: "d1d1d1d1sha1" },
    user: { ...user, geo: { country: "DEU", lat: 52.516275, lon: 13.377704, zip: "DE-10117" } },
  };
}
const MORE_BYTES = ["2001:db8:77:77::77", "13.377704"];

/** The bytes of all calls that the exchange would make to a partner under these signals; null if it is not asked. */
function wireOf(id: PartnerId, signals: Signals, version: "2.5" | "2.6"): string | null {
  const imp = PLACES.map((place, index) => ({ id: `imp-${index}`, tagid: "home", ...place }));
  const request = upgradeTo26({ ...withMoreCanaries(personalRequest(signals, version)), imp });
  const privacy = privacyOf(request, mayByTcf);
  const { gvlId } = partners[id];
  const consent = consentFor(privacy, [gvlId]);
  if (consent.gdprApplies && !consent.vendorIds.includes(gvlId ?? -1)) return null;
  const { keys, host } = keysAt(id);
  const calls = partners[id].buildRequests({
    request: new OutboundRequests(request, privacy).requestFor(id, gvlId),
    imps: imp.map((each) => ({ imp: each, keys })),
    settings: { ...host },
  });
  // A partner that needs a user it knows is sent nothing without one.
  if (!calls.ok) return "";
  return calls.requests
    .map(({ url, headers, body }) => `${decodeURIComponent(url)} ${JSON.stringify(headers)} ${body}`)
    .join("\n");
}

/** What each of the forty is told beyond what it may be: it has to be empty. */
function leaks(signals: Signals, version: "2.5" | "2.6", allowed: (id: PartnerId) => PersonalPart[] | null): string[] {
  return NAMED_PARTNERS.flatMap((id) => {
    const [may, wire] = [allowed(id), wireOf(id, signals, version)];
    if (may === null) return wire === null ? [] : [`${id} is asked`];
    if (wire === null) return [`${id} is not asked`];
    const told = personalDataIn(wire).filter((part) => !may.includes(part));
    const more =
      may.includes("address") && may.includes("location") ? [] : MORE_BYTES.filter((bytes) => wire.includes(bytes));
    return [...told, ...more].map((what) => `${id}: ${what}`);
  });
}

test("without a signal, each of the forty is told something, so that the others have something to keep back", () => {
  for (const id of NAMED_PARTNERS) {
    const told = personalDataIn(wireOf(id, {}, "2.6"));
    expect([id, told.includes("deviceIds"), told.includes("address")]).toEqual([id, true, true]);
  }
  const everything = new Set(NAMED_PARTNERS.flatMap((id) => personalDataIn(wireOf(id, {}, "2.6"))));
  expect([...everything].toSorted()).toEqual(PERSONAL_PARTS.toSorted());
});

const usnat = (fields: Record<string, unknown>): Signals["regs"] => ({ gpp: gpp({ usnat: fields }), gpp_sid: [7] });

test.each(
  inBoth<Signals, PersonalPart[]>([
    ["limited ad tracking", { device: { lmt: 1 } }, NOTHING],
    ["do not track", { device: { dnt: 1 } }, NOTHING],
    ["an app that may not track (ATT 2)", { device: { ext: { atts: 2 } } }, NOTHING],
    ["a child (COPPA)", { regs: { coppa: 1 } }, NOTHING],
    ["US Privacy 1YYN", { regs: { us_privacy: "1YYN" } }, NOTHING],
    ["US Privacy in GPP", { regs: { gpp: gpp({ uspv1: { Notice: "Y", OptOutSale: "Y" } }), gpp_sid: [6] } }, NOTHING],
    ["GPP, US national: sale", { regs: usnat({ SaleOptOut: 1 }) }, NOTHING],
    ["GPP, US national: sharing", { regs: usnat({ SharingOptOut: 1 }) }, NOTHING],
    ["GPP, US national: targeted advertising", { regs: usnat({ TargetedAdvertisingOptOut: 1 }) }, NOTHING],
    ["GPP, US national: a known child", { regs: usnat({ KnownChildSensitiveDataConsents: [1, 0, 0] }) }, NOTHING],
    [
      "GPP, US national: sensitive data",
      { regs: usnat({ SensitiveDataProcessing: [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0] }) },
      without("address", "location", "profile"),
    ],
    ["GPP, California: sharing", { regs: { gpp: gpp({ usca: { SharingOptOut: 1 } }), gpp_sid: [8] } }, NOTHING],
    ["GPP, Texas: sale", { regs: { gpp: gpp({ ustx: { SaleOptOut: 1 } }), gpp_sid: [16] } }, NOTHING],
    ["Global Privacy Control", { regs: { ext: { gpc: "1" } } }, NOTHING],
    ["unreadable GPP", { regs: { gpp: "DBno~no", gpp_sid: [7] } }, NOTHING],
    ["an opt-out that does not apply", { regs: { gpp: gpp({ usnat: { SaleOptOut: 1 } }), gpp_sid: [-1] } }, ALL],
  ]),
)("under %s in OpenRTB %s, none of the forty is told more than it may be", (_, version, signals, may) => {
  expect(leaks(signals, version, () => may)).toEqual([]);
});

const all = { vendors: VENDOR_IDS, purposes: [1, 2, 3, 4, 7], specialFeatures: [1] };
const interests = { interestVendors: VENDOR_IDS, interestPurposes: [2, 7] };
/** The partner that a publisher restricts, and one that the user refuses. */
const RESTRICTED = partners.criteo.gvlId ?? 0;
const others = VENDOR_IDS.filter((id) => id !== RESTRICTED);
type Told = PersonalPart[] | null;

test.each(
  inBoth<TcfChoices, { told: Told; restricted: Told }>([
    ["consent to everything", { ...all, ...interests }, { told: ALL, restricted: ALL }],
    ["a refusal of everything", {}, { told: null, restricted: null }],
    [
      "a refusal of one vendor",
      { ...all, vendors: others, interestVendors: others, interestPurposes: [2, 7] },
      { told: ALL, restricted: null },
    ],
    [
      "an objection to legitimate interest in basic ads",
      { ...all, ...interests, interestPurposes: [7] },
      { told: null, restricted: null },
    ],
    ["legitimate interest alone", { ...interests }, { told: NOTHING, restricted: NOTHING }],
    ["no consent to storage", { ...all, ...interests, purposes: [2, 3, 4] }, { told: NOTHING, restricted: NOTHING }],
    [
      "no consent to a profile",
      { ...all, ...interests, purposes: [1, 2, 4] },
      { told: without("profile", "extendedIds"), restricted: without("profile", "extendedIds") },
    ],
    [
      "no opt-in to precise location",
      { ...all, ...interests, specialFeatures: [] },
      { told: without("address", "location"), restricted: without("address", "location") },
    ],
    [
      "a publisher that forbids one vendor to choose ads",
      { ...all, ...interests, restrictions: [{ vendor: RESTRICTED, purpose: 2, type: RestrictionType.NOT_ALLOWED }] },
      { told: ALL, restricted: null },
    ],
    [
      "a publisher that forbids one vendor to store",
      { ...all, ...interests, restrictions: [{ vendor: RESTRICTED, purpose: 1, type: RestrictionType.NOT_ALLOWED }] },
      { told: ALL, restricted: NOTHING },
    ],
    [
      "a publisher that requires consent of one vendor, which has none",
      {
        ...all,
        ...interests,
        purposes: [1, 3, 4],
        restrictions: [{ vendor: RESTRICTED, purpose: 2, type: RestrictionType.REQUIRE_CONSENT }],
      },
      { told: ALL, restricted: null },
    ],
    ["one vendor that was not disclosed", { ...all, ...interests, disclosed: others }, { told: ALL, restricted: null }],
  ]),
)(
  "under a TCF string with %s in OpenRTB %s, each of the forty is told what its vendor may know",
  (_, version, choices, told) => {
    const consent = tcf(choices, VENDORS);
    const allowed = (id: PartnerId): Told => {
      const { gvlId } = partners[id];
      // Nobody can have consented to a partner that is on no list.
      if (gvlId === undefined) return null;
      return gvlId === RESTRICTED ? told.restricted : told.told;
    };
    expect(leaks({ regs: { gdpr: 1 }, consent }, version, allowed)).toEqual([]);
    const inGpp = { regs: { gpp: gpp({ tcfeuv2: consent }), gpp_sid: [2] } };
    expect(leaks(inGpp, version, allowed)).toEqual([]);
  },
);
