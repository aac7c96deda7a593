import { UNKNOWN_COUNTRY } from "@millrace/contract";
import { DAY_MS, dayOf, impressionMicros } from "@millrace/units";
import { atSeconds, type EventRow } from "../../statistics/index.ts";
import type { AdFacts } from "../delivery/beacon-token.ts";
import { recordedImpId } from "../delivery/recorded-imp-id.ts";
import type { Session } from "../delivery/session-token.ts";
import type { InvalidReason } from "./invalid-traffic.ts";

/** The row of an ad's event. Its money is 0 if it does not count, so that no sum can include it. */
export function adEventRow(
  kind: "impression" | "click",
  facts: AdFacts,
  eventId: string,
  atMs: number,
  invalid: InvalidReason | null,
): EventRow {
  const isSold = kind === "impression" && invalid === null;
  return {
    at: atSeconds(atMs),
    kind,
    event_id: eventId,
    auction_id: facts.auctionId,
    imp_id: recordedImpId(facts.impId),
    app_id: facts.appId,
    zone: facts.zone,
    format: facts.format,
    country: facts.country,
    platform: facts.platform,
    provider: facts.provider,
    sdk_version: facts.sdkVersion,
    device: facts.device,
    first_day: firstDayText(facts.firstDay),
    revenue_micros: isSold ? facts.revenueMicros : 0,
    cost_micros: isSold ? (facts.campaign?.costMicros ?? 0) : 0,
    gross_micros: isSold ? (facts.campaign?.costMicros ?? impressionMicros(facts.priceMicros)) : 0,
    seconds: 0,
    invalid: invalid ?? "",
    campaign_id: facts.campaign?.id ?? 0,
    creative_id: facts.campaign?.creativeId ?? 0,
    arm: facts.campaign?.arm ?? "",
    ...(facts.campaign?.line && {
      stated_micros: facts.campaign.line.statedMicros,
      expected_micros: facts.campaign.line.expectedMicros,
      paid_micros: isSold ? (facts.campaign.line.paidMicros ?? 0) : 0,
      paid_told: isSold && facts.campaign.line.paidMicros !== undefined ? 1 : 0,
    }),
    demo: facts.demo ? 1 : 0,
  };
}

export const NO_AUCTION = "00000000-0000-0000-0000-000000000000";

/** The row of a session's start, or of the seconds that a ping adds to it. */
export function sessionEventRow(
  kind: "session" | "ping",
  session: Session,
  eventId: string,
  atMs: number,
  seconds: number,
): EventRow {
  return {
    at: atSeconds(atMs),
    kind,
    event_id: eventId,
    auction_id: NO_AUCTION,
    app_id: session.appId,
    zone: "",
    format: "",
    country: session.country,
    platform: session.platform,
    provider: "",
    sdk_version: session.sdkVersion,
    device: session.device,
    first_day: firstDayText(session.firstDay),
    revenue_micros: 0,
    cost_micros: 0,
    seconds,
    invalid: "",
    demo: session.demo ? 1 : 0,
  };
}

/** Formatted days by day number, because formatting costs more than the rest of a row. Bounded: days come from our tokens only. */
const days = new Map<number, string>();

/** Undefined if unknown: the row's JSON then has no such field, and the table's default applies. */
function firstDayText(firstDay: number): string | undefined {
  if (firstDay <= 0) return undefined;
  let text = days.get(firstDay);
  if (text === undefined) days.set(firstDay, (text = dayOf(firstDay * DAY_MS)));
  return text;
}

/** The row of a beacon without a valid token: nothing in it can be trusted. */
export function forgedEventRow(kind: "impression" | "click", eventId: string, atMs: number): EventRow {
  return {
    at: atSeconds(atMs),
    kind,
    event_id: eventId,
    auction_id: NO_AUCTION,
    app_id: 0,
    zone: "",
    format: "",
    country: UNKNOWN_COUNTRY,
    platform: "others",
    provider: "",
    sdk_version: "",
    device: "0",
    revenue_micros: 0,
    cost_micros: 0,
    seconds: 0,
    invalid: "forged" satisfies InvalidReason,
    demo: 0,
  };
}
