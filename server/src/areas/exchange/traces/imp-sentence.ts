import type { NoAdReason, ParticipantKind } from "@millrace/auction";
import { FORMAT_LABELS, type Format, INHOUSE_PROVIDER, type PartnerResult } from "@millrace/contract";
import { formatCpm, formatEarning } from "@millrace/units";
import type { Unpaid } from "./partner-result.ts";

/** What the sentences about one imp are made of. */
export interface ImpStory {
  format: Format;
  isTest: boolean;
  floorMicros: number | null;
  noAd: NoAdReason | null;
  /** The first ad of the answer, with the time its partner took; null without an ad. */
  served: { name: string; priceMicros: number; unpaid: Unpaid | null; latencyMs: number | null } | null;
  /** The ad ranked after it; null without one, undefined if bids are not kept. */
  next: { name: string; priceMicros: number; isFiller: boolean; isSamePartner: boolean } | null | undefined;
  /** The ad whose impression was counted. */
  shown: {
    name: string;
    priceMicros: number;
    unpaid: Unpaid | null;
    isServed: boolean;
    afterMs: number;
    revenueMicros: number;
  } | null;
  /** Why an impression was not counted, if none was. */
  notCounted: string | null;
  /** The result of each partner. */
  results: readonly { result: PartnerResult; name: string; priceMicros: number | null; kind: ParticipantKind }[];
}

/** What happened to the request, in one sentence. */
export function impSentence({ format, served, shown, noAd, results }: ImpStory): string {
  const what = FORMAT_LABELS[format].toLowerCase();
  if (served === null) return `This ${what} request got no ad: ${noAdClause(noAd, results)}.`;
  if (shown?.unpaid === "inhouse" && !shown.isServed) {
    return `Cross promotion filled this ${what}, free of charge, after a bid that was not shown${nameClause(shown)}.`;
  }
  if (shown !== null && !shown.isServed) {
    const price = `${shown.unpaid === "line" ? "an expected " : ""}${formatCpm(shown.priceMicros)} CPM`;
    return `${shown.name} was shown as this ${what} with ${price}, after a higher ${served.unpaid === "line" ? "place in the order" : "bid"}.`;
  }
  if (served.unpaid === "line") return `${served.name} was the first to try for this ${what}${expectedClause(served)}.`;
  if (served.unpaid === "inhouse") {
    const how =
      served.priceMicros === 0 ? `filled this ${what}` : `won this ${what} at ${formatCpm(served.priceMicros)} CPM`;
    return `Cross promotion ${how}, free of charge${nameClause(served)}.`;
  }
  const when = served.latencyMs === null ? "" : `, ${formatSpan(served.latencyMs)} after it was asked`;
  return `${served.name} won this ${what} with ${formatCpm(served.priceMicros)} CPM${when}.`;
}

/** Without a trace, only the provider's name is known. */
const nameClause = ({ name }: { name: string }): string => (name === INHOUSE_PROVIDER.name ? "" : `: ${name}`);

/** Without a trace, the price is not known. */
const expectedClause = ({ priceMicros }: { priceMicros: number }): string =>
  priceMicros === 0 ? "" : `, at an expected ${formatCpm(priceMicros)} CPM`;

/** What else there is to say: who took part, by how much it was decided, and what came of it. */
export function impDetail(story: ImpStory): string {
  return [crowd(story.results), ...margin(story), ...outcome(story)].join(" ");
}

function crowd(all: ImpStory["results"]): string {
  const haveBid = all.some(({ kind, result }) => kind === "campaign" && result !== "not_asked");
  const partners = crowdOfPartners(all.filter(({ kind }) => kind === "bidding"));
  return haveBid ? `${partners} Campaigns of this platform bid without being asked.` : partners;
}

function crowdOfPartners(results: ImpStory["results"]): string {
  const count = (...of: PartnerResult[]) => results.filter(({ result }) => of.includes(result)).length;
  const asked = results.length - count("not_asked");
  if (results.length === 0) return "The app had no partners to ask.";
  if (asked === 0)
    return results.length === 1
      ? "The only partner could not be asked."
      : `None of ${results.length} partners could be asked.`;
  const were = `${counted(asked, "partner")} ${asked === 1 ? "was" : "were"} asked`;
  if (count("asked") > 0) return `${were}. No trace of this auction is kept, so their bids are not known.`;
  const bids = count("won", "outbid", "bid", "under_floor", "refused");
  const parts = [
    [bids, "bid"],
    [count("no_bid"), bids === 0 ? "did not bid" : "did not"],
    [count("failed"), "failed"],
    [count("timeout"), "ran out of time"],
  ] as const;
  const clauses = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  return `${were}: ${listed(clauses)}.`;
}

function margin({ served, next, results, floorMicros }: ImpStory): string[] {
  if (served === null) return closest(results, floorMicros);
  if (next === undefined) return [];
  const isFilled = served.unpaid === "inhouse" && served.priceMicros === 0;
  if (isFilled && (next === null || next.isFiller))
    return ["Nobody bought the place.", ...closest(results, floorMicros)];
  if (next === null) return ["There was no other valid bid."];
  if (next.isFiller) return ["There was no other valid bid. Otherwise cross promotion would have filled the place."];
  const behind = served.priceMicros - next.priceMicros;
  const subject = next.isSamePartner ? "The next best bid was its own" : `The next best, ${next.name}, was`;
  if (behind === 0) {
    return [next.isSamePartner ? `${subject}, at the same price.` : `${next.name} bid the same, and a draw decided.`];
  }
  return [next.isSamePartner ? `${subject}, ${formatCpm(behind)} behind.` : `${subject} ${formatCpm(behind)} behind.`];
}

/** The best bid of a request without an ad. */
function closest(results: ImpStory["results"], floorMicros: number | null): string[] {
  const under = results.filter(({ result, priceMicros }) => result === "under_floor" && priceMicros !== null);
  const best = under.toSorted((a, b) => (b.priceMicros ?? 0) - (a.priceMicros ?? 0))[0];
  if (!best || best.priceMicros === null || floorMicros === null || best.priceMicros >= floorMicros) return [];
  return [
    `The closest, ${best.name}, bid ${formatCpm(best.priceMicros)}, ${formatCpm(floorMicros - best.priceMicros)} under the floor of ${formatCpm(floorMicros)}.`,
  ];
}

function outcome({ isTest, served, shown, notCounted }: ImpStory): string[] {
  if (isTest) return ["It is a test: nothing of it counts or is paid."];
  if (served === null) return [];
  if (shown === null) {
    return [
      notCounted === null ? "No impression has been reported." : `Its impression was not counted. ${notCounted}.`,
    ];
  }
  const before = shown.isServed
    ? []
    : served.unpaid === "line"
      ? [`${served.name} was before it and has no counted impression.`]
      : [`${served.name} had bid ${formatCpm(served.priceMicros)} and has no counted impression.`];
  const when = `The ad was shown ${formatSpan(shown.afterMs)} after the request`;
  return [
    ...before,
    shown.unpaid === "inhouse"
      ? `${when}. It earns and costs nothing.`
      : shown.unpaid === "line"
        ? `${when}. Its seller pays you outside this platform, so it is in no revenue and no balance.`
        : `${when} and earned you ${formatEarning(shown.revenueMicros)}.`,
  ];
}

function noAdClause(reason: NoAdReason | null, results: ImpStory["results"]): string {
  const asked = results.filter(({ result }) => result !== "not_asked");
  switch (reason) {
    case "app_not_live":
      return "the app was not live";
    case "switched_off":
      return "this platform's operator had switched such requests off";
    case "format_unplayable":
      return "the app's SDK cannot play this format on its platform";
    case "no_partner_ready":
      return "no partner could be asked";
    case "consent_limits":
      return "no partner could be asked, some for want of consent";
    case "child_directed_limits":
      return "no partner could be asked, some because the traffic is child-directed";
    case "frequency_cap":
      return "a campaign that wanted it had reached its frequency cap";
    case "timeout":
      return asked.every(({ result }) => result === "timeout")
        ? "no partner answered in time"
        : "no partner answered both in time and without an error";
    case "partner_errors":
      return "the partners' answers failed";
    case "no_demand":
      return "no partner bid";
    case "no_bid_above_floor":
      return "no valid bid reached its floor";
    case "blocked":
      return "no bid was valid, and a block of the app or the request excluded at least one ad";
    case "invalid_bids":
    case null:
      return "no bid could be shown";
  }
}

const counted = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** A span of time as read: `41 ms`, `1.2 s`, `3 min`. */
export function formatSpan(ms: number): string {
  const rounded = Math.round(ms);
  if (rounded < 1000) return `${rounded} ms`;
  return ms < 99_950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}
