import { randomInt } from "node:crypto";
import type { LineMacro } from "@millrace/contract";
import type { BidRequest, Imp } from "@millrace/openrtb";
import { expandLink } from "../../measurement/index.ts";
import type { AppConfig } from "../config/snapshot.ts";
import type { Privacy } from "../privacy/privacy-of.ts";
import { partsRemovedBy } from "../privacy/privacy-table.ts";
import { redactRequest } from "../privacy/redact-request.ts";
import { stateSignals } from "../privacy/state-signals.ts";

/** The auction whose facts fill a tag. */
export interface TagFacts {
  at: number;
  app: Pick<AppConfig, "bundleId" | "name" | "facts">;
  request: BidRequest;
  privacy: Pick<Privacy, "gdprApplies" | "rulesFor">;
  device: { country: string | null };
}

/**
 * Fills the macros of a line item's tag. Values are encoded for an address, so that none of them ends a text in markup or a
 * script. Its seller learns as much about the device as a partner with its vendor id would.
 */
export function fillTag(tag: string, facts: TagFacts, imp: Imp, gvlId: number | undefined): string {
  const { at, app, privacy, device: where } = facts;
  const { request } = redactRequest(stateSignals(facts.request, privacy), partsRemovedBy(privacy.rulesFor(gvlId)));
  const { device, regs, user } = request;
  const { w, h } = imp.video ?? imp.banner ?? {};
  const values: Record<LineMacro, string | number | undefined> = {
    cachebuster: randomInt(1_000_000_000),
    timestamp: Math.floor(at / 1000),
    app_bundle: app.bundleId,
    app_name: app.name,
    zone: imp.tagid,
    country: where.country ?? undefined,
    w,
    h,
    device_id: device?.ifa,
    lmt: device?.lmt,
    gdpr: privacy.gdprApplies ? 1 : 0,
    gdpr_consent: user?.consent,
    us_privacy: regs?.us_privacy,
    gpp: regs?.gpp,
    gpp_sid: regs?.gpp_sid?.join(","),
    coppa: app.facts.childDirected || regs?.coppa === 1 ? 1 : 0,
  };
  // `encodeURIComponent` leaves apostrophes, which end a text in single quotes.
  const texts = Object.entries(values).map(([name, value]) => [name, String(value ?? "").replaceAll("'", "")] as const);
  return expandLink(tag, new Map(texts));
}
