import type { ShownAuction, ShownResult } from "@millrace/contract";

const WORDS = {
  won: "Won",
  outbid: "Outbid",
  under_floor: "Under the floor",
  refused: "Refused",
  no_bid: "No bid",
  failed: "Answer failed",
  timeout: "Timeout",
} as const satisfies Record<ShownResult, string>;

/** The bids that the sentence counts, in its order. */
const COUNTED = [
  ["outbid", "was outbid", "were outbid"],
  ["under_floor", "was under the floor", "were under the floor"],
  ["refused", "was refused", "were refused"],
  ["no_bid", "did not bid", "did not bid"],
  ["failed", "failed", "failed"],
  ["timeout", "was too late", "were too late"],
] as const satisfies readonly (readonly [ShownResult, string, string])[];

/** A bidder as a row of the picture. Places and widths are shares of an axis, in percent. */
export interface BidderRow {
  who: string;
  result: ShownResult;
  word: string;
  after: string;
  place: string;
  /** Empty without a bid. */
  share: string;
}

export interface AuctionWords {
  title: string;
  sentence: string;
  rows: BidderRow[];
}

/** Names of formats and platforms by their codes. */
export type Labels = Readonly<Record<string, string>>;

const COUNTRIES = new Intl.DisplayNames(["en"], { type: "region" });
const ANYWHERE = "XX";
const countryOf = (code: string): string => (code === ANYWHERE ? "Unknown country" : (COUNTRIES.of(code) ?? code));

const percent = (share: number): string => `${Math.round(100 * Math.min(1, Math.max(0, share)))}%`;

/** More would make the picture jump. */
const MOST_ROWS = 7;

/** An auction in words. Bidders have letters for names, in the order of their answers; the axis ends at the deadline. */
export function auctionInWords(
  { format, platform, country, bidders }: ShownAuction,
  labels: Labels,
  deadlineMs: number,
): AuctionWords {
  const everyRow = bidders.map(({ result, after_ms: afterMs, share }, nth) => ({
    who: `Bidder ${String.fromCodePoint(65 + nth)}`,
    result,
    word: WORDS[result],
    after: `${Math.round(afterMs)} ms`,
    place: percent(afterMs / deadlineMs),
    share: share === null ? "" : percent(share),
  }));
  const winner = everyRow.find(({ result }) => result === "won");
  const first = everyRow.slice(0, MOST_ROWS);
  // The sentence names the winner, so its row is shown even if it answered late.
  const rows = winner && !first.includes(winner) ? [...first.slice(0, -1), winner] : first;
  const counts = COUNTED.flatMap(([counted, one, several]) => {
    const count = bidders.filter(({ result }) => result === counted).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : several}`];
  });
  // A campaign, a line item or a cross promotion may have, which are no bidders.
  const outcome = winner ? `${winner.who} won with the highest valid bid` : "No bidder won";
  return {
    title: [labels[format] ?? format, labels[platform] ?? platform, countryOf(country)].join(" · "),
    sentence: `${[outcome, ...counts].join(", ")}.`,
    rows,
  };
}
