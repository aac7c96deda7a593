import { describeReason } from "@millrace/auction";
import { AUCTION_DEADLINE_MS, notCountedText, type PartnerResult } from "@millrace/contract";
import type { AuctionRecord, Explanation } from "./explain-auction.ts";
import { noAdOf, pricedAd } from "./explain-imp.ts";
import { type ImpStory, impDetail, impSentence } from "./imp-sentence.ts";
import { RESULT_LABELS } from "./partner-result.ts";
import type { StoredRequest } from "./stored-auction.ts";
import { whatFollowed } from "./what-followed.ts";

/** Explains an auction whose trace is not kept, by what its requests and events recorded. */
export function explainUntraced(auction: string, record: AuctionRecord): Explanation | null {
  const { app, requests, events, playerEvents, partnerName } = record;
  const [first] = requests;
  if (!first) return null;
  const partners = [...new Set(requests.flatMap(({ asked }) => asked))];
  const isSold = requests.some(({ winner }) => winner !== "");
  const noAd = isSold ? null : noAdOf(first, { noAdReason: null });
  return {
    auction,
    app: { uuid: app.uuid, name: app.name },
    at: new Date(first.atMs).toISOString(),
    traced: false,
    seed: null,
    config_version: null,
    deadline_ms: null,
    country: first.country,
    device: { os: null, os_version: null, sdk_version: null, connection: null },
    consent: null,
    test: false,
    no_ad: noAd && { code: noAd, text: describeReason(noAd, { deadlineMs: AUCTION_DEADLINE_MS }) },
    imps: requests.map((request) => impOf(request, record)),
    participants: partners.map((provider) => ({
      provider,
      name: partnerName(provider),
      outcome: { code: "asked", text: "Asked; its answer is not kept" },
      latency_ms: null,
      results: requests.map((request) => ({
        imp: request.imp,
        label: RESULT_LABELS[resultOf(request, provider)],
        result: resultOf(request, provider),
        text: TEXTS[resultOf(request, provider)],
        price: request.winner === provider ? request.priceMicros : null,
      })),
      calls: [],
      privacy: [],
      refusals: [],
      bids: [],
    })),
    request: null,
    followed: whatFollowed(first.atMs, { events, playerEvents }, partnerName),
    player_events: playerEvents.map(({ provider, event, error_code, at_ms }) => ({
      provider,
      event,
      error_code: error_code === 0 ? null : error_code,
      at: new Date(at_ms).toISOString(),
    })),
    replays: null,
  };
}

type Known = Extract<PartnerResult, "won" | "asked" | "not_asked">;
const TEXTS = {
  won: "Its ad was the first of the answer",
  asked: "Its answer is not kept",
  not_asked: "Not asked for this imp",
} as const satisfies Record<Known, string>;

const resultOf = ({ winner, asked }: StoredRequest, provider: string): Known =>
  winner === provider ? "won" : asked.includes(provider) ? "asked" : "not_asked";

function impOf(row: StoredRequest, record: AuctionRecord): Explanation["imps"][number] {
  const { app, events, currentSharePpm, partnerName } = record;
  const own = events.filter(
    ({ kind, zone, format }) => kind === "impression" && zone === row.zone && format === row.format,
  );
  const counted = own.find(({ invalid, provider }) => invalid === "" && provider === row.winner);
  const notCounted = own.find(({ invalid }) => invalid !== "");
  const noAd = row.winner === "" ? noAdOf(row, { noAdReason: null }) : null;
  const story: ImpStory = {
    format: row.format,
    isTest: false,
    floorMicros: null,
    noAd,
    served: row.winner === "" ? null : { name: partnerName(row.winner), priceMicros: row.priceMicros, latencyMs: null },
    next: undefined,
    shown: counted
      ? {
          name: partnerName(row.winner),
          priceMicros: row.priceMicros,
          isServed: true,
          afterMs: Math.max(0, counted.atMs - row.atMs),
          revenueMicros: counted.revenueMicros,
        }
      : null,
    notCounted: notCounted ? notCountedText(notCounted.invalid) : null,
    results: row.asked.map((provider) => ({ result: "asked", name: partnerName(provider), priceMicros: null })),
  };
  return {
    imp: row.imp,
    format: row.format,
    zone: row.zone,
    zone_name: app.zones.get(row.zone)?.name ?? row.zone,
    sentence: impSentence(story),
    detail: impDetail(story),
    floor: null,
    floor_by: null,
    no_ad: noAd && { code: noAd, text: describeReason(noAd, { deadlineMs: AUCTION_DEADLINE_MS }) },
    order: [],
    price:
      row.winner === ""
        ? null
        : pricedAd({
            provider: row.winner,
            name: partnerName(row.winner),
            priceMicros: row.priceMicros,
            sharePpm: null,
            currentSharePpm,
            revenueMicros: counted?.revenueMicros ?? null,
          }),
    answered_ms: Math.round(row.durationMs * 100) / 100,
  };
}
