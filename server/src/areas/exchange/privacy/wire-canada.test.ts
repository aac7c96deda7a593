import { expect, test } from "vitest";
import { gpp, restriction } from "../testing/consent-strings.ts";
import type { PersonalPart, Signals } from "../testing/personal-request.ts";
import { ALL, type Asked, everybody, inBoth, NOTHING, privacyBidders, without } from "../testing/privacy-bidders.ts";

const { toldUnder } = await privacyBidders();
const noLocation = without("address", "location");

const vendorsOfAll = [52, 91, 300];
const purposes = (...named: number[]) => Array.from({ length: 24 }, (_, index) => named.includes(index + 1));
const canada = (fields: Record<string, unknown>): Signals["regs"] => ({ gpp: gpp({ tcfcav1: fields }), gpp_sid: [5] });
const express = { VendorExpressConsent: vendorsOfAll, PurposesExpressConsent: purposes(1, 2, 3, 4) };
const precise = { SpecialFeatureExpressConsent: [true, ...Array.from({ length: 11 }, () => false)] };

test.each(
  inBoth<Signals["regs"], Partial<Record<Asked, PersonalPart[]>>>([
    [
      "express consent to everything",
      canada({ ...express, ...precise }),
      { interested: ALL, consented: ALL, unlisted: ALL },
    ],
    [
      "implied consent to everything except precise location",
      canada({ VendorImpliedConsent: [91], PurposesImpliedConsent: purposes(1, 2, 3, 4) }),
      { consented: noLocation },
    ],
    [
      "express consent of the vendor and implied consent to the purposes",
      canada({ VendorExpressConsent: [91], PurposesImpliedConsent: purposes(1, 2, 3, 4) }),
      {},
    ],
    ["no consent to basic ads", canada({ ...express, PurposesExpressConsent: purposes(1, 3, 4) }), {}],
    ["no consent to storage", canada({ ...express, ...precise, PurposesExpressConsent: purposes(2, 3, 4) }), {}],
    [
      "no consent to use a profile (purpose 4)",
      canada({ ...express, ...precise, PurposesExpressConsent: purposes(1, 2, 3) }),
      {
        interested: without("profile", "extendedIds"),
        consented: without("profile", "extendedIds"),
        unlisted: without("profile", "extendedIds"),
      },
    ],
    [
      "a purpose that the publisher forbids a vendor",
      canada({ ...express, ...precise, PubRestrictions: [restriction(2, 0, [52])] }),
      { consented: ALL, unlisted: ALL },
    ],
    [
      "a publisher that requires express consent where the user's is implied",
      canada({
        VendorImpliedConsent: [52, 91],
        PurposesImpliedConsent: purposes(1, 2, 3, 4),
        PubRestrictions: [restriction(2, 1, [52])],
      }),
      { consented: noLocation },
    ],
    [
      "vendors that were not disclosed to the user",
      canada({ ...express, ...precise, DisclosedVendors: [91] }),
      { consented: ALL },
    ],
    ["an unreadable string", { gpp: "DBABJg~BAAA", gpp_sid: [5] }, {}],
    ["a missing section that applies", { gpp: gpp({ usnat: { SaleOptOut: 2 } }), gpp_sid: [5] }, {}],
    [
      "a string that does not say which section applies",
      { gpp: gpp({ tcfcav1: { ...express, VendorExpressConsent: [91] } }) },
      { consented: noLocation },
    ],
    ["a string that does not apply", { gpp: gpp({ tcfcav1: {} }), gpp_sid: [-1] }, { ...everybody(ALL) }],
  ]),
)(
  "under TCF Canada with %s in OpenRTB %s all bidders are asked, and each gets what its vendor may know",
  async (_, version, regs, told) => {
    expect(await toldUnder({ ...(regs && { regs }) }, version)).toEqual({ ...everybody(NOTHING), ...told });
  },
);
