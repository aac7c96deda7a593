import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach } from "vitest";
import { askOpenrtb } from "./ask-openrtb.ts";
import { exchangeForEachTest } from "./exchange-for-each-test.ts";
import { bidsAt, type TestBidder } from "./start-bidder.ts";
import { CONSENTED, INTERESTED, UNLISTED, vendorListOf } from "./consent-strings.ts";
import {
  PERSONAL_PARTS,
  type PersonalPart,
  personalRequest,
  type Signals,
  personalDataIn,
} from "./personal-request.ts";

const list = join(mkdtempSync(join(tmpdir(), "vendors-")), "vendor-list.json");
writeFileSync(list, JSON.stringify(vendorListOf([INTERESTED, CONSENTED])));

export type Asked = "interested" | "consented" | "unlisted" | "nameless";

/**
 * Four bidders for each test of a file: two with vendors on the operator's list, one on no list, and one without an id. The GDPR
 * applies to what says nothing and comes from one of the countries.
 */
export async function privacyBidders(gdprCountries: readonly string[] = []) {
  const at = await exchangeForEachTest({ settings: { vendorListPath: list, gdprCountries: new Set(gdprCountries) } });
  const bidders = {} as Record<Asked, TestBidder>;
  beforeEach(async () => {
    const olderVersion = { gvl_id: CONSENTED.id, openrtb_version: "2.5" } as const;
    [bidders.interested, bidders.consented, bidders.unlisted, bidders.nameless] = await Promise.all([
      at.partner("interested", bidsAt(1), { gvl_id: INTERESTED.id }),
      at.partner("consented", bidsAt(1), olderVersion),
      at.partner("unlisted", bidsAt(1), { gvl_id: UNLISTED.id }),
      at.partner("nameless", bidsAt(1)),
    ]);
  });
  return {
    at,
    bidders,
    /** The personal data that each bidder got; null if it was not called. */
    async toldUnder(signals: Signals, version: "2.5" | "2.6") {
      // On a busy machine an auction can end before its calls arrive; a bidder that may not be called is never called.
      for (let tries = 0; tries < 3 && Object.values(bidders).some(({ requests }) => !requests[0]); tries++) {
        await askOpenrtb(at.exchange, personalRequest(signals, version));
      }
      return Object.fromEntries(
        Object.entries(bidders).map(([name, { requests }]) => [name, requests[0] ? personalDataIn(requests[0]) : null]),
      );
    },
  };
}

export const VERSIONS = ["2.6", "2.5"] as const;
export const ALL: PersonalPart[] = PERSONAL_PARTS;
export const NOTHING: PersonalPart[] = [];
export const without = (...parts: PersonalPart[]) => ALL.filter((part) => !parts.includes(part));
export const everybody = (told: PersonalPart[]) => ({
  interested: told,
  consented: told,
  unlisted: told,
  nameless: told,
});

/** The cases of a table, each in both OpenRTB versions. */
export const inBoth = <Given, Told>(cases: [name: string, given: Given, told: Told][]) =>
  cases.flatMap(([name, given, told]) => VERSIONS.map((version) => [name, version, given, told] as const));
