import { describeReason, RESPONSE_STATUSES } from "@millrace/auction";
import { AUCTION_DEADLINE_MS, CAMPAIGN_PROVIDER, LINE_PROVIDER, notCountedText } from "@millrace/contract";
import { impressionMicros } from "@millrace/units";
import type { AuctionRecord, Explanation } from "./explain-auction.ts";
import { noAdOf, pricedAd } from "./explain-imp.ts";
import { type ImpStory, impDetail, impSentence } from "./imp-sentence.ts";
import { failureText, type TextedResult, timeoutText, withText, unpaidProvider } from "./partner-result.ts";
import { eventsOfImp, type StoredEvent, type StoredRequest } from "./stored-auction.ts";
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
    participants: partners.map((provider) => partnerOf(provider, requests, partnerName(provider))),
    request: null,
    followed: whatFollowed(first.atMs, { events, playerEvents }, app.lineItems, partnerName),
    player_events: playerEvents.map(({ provider, event, error_code, at_ms }) => ({
      provider,
      event,
      error_code: error_code === 0 ? null : error_code,
      at: new Date(at_ms).toISOString(),
    })),
    replays: null,
  };
}

/** A partner by what the auction's rows have of it. */
function partnerOf(provider: string, requests: readonly StoredRequest[], name: string) {
  const results = requests.map((request) => ({ imp: request.imp, ...resultOf(request, provider) }));
  const times = requests.flatMap((request) => factsOf(request, provider)?.latencyMs ?? []);
  // The answer is the same for all imps but for its bids.
  const best = results.find(({ priceMicros }) => priceMicros !== null) ?? results.find(wasAsked);
  return {
    provider,
    name,
    outcome: { code: best?.result ?? "asked", text: best?.text === "" ? best.label : (best?.text ?? "") },
    latency_ms: times.length === 0 ? null : Math.max(...times),
    results: results.map(({ imp, result, label, text, priceMicros }) => ({
      imp,
      result,
      label,
      text,
      price: priceMicros,
    })),
    calls: [],
    privacy: [],
    refusals: [],
    bids: [],
  };
}

const wasAsked = ({ result }: TextedResult) => result !== "not_asked";

/** What a partner did for a request; null if it was not asked, or if that was not recorded. */
function factsOf({ asked, outcomes, latenciesMs, bidsMicros }: StoredRequest, provider: string) {
  const place = asked.indexOf(provider);
  const status = RESPONSE_STATUSES.find((each) => each === outcomes[place]);
  if (status === undefined) return null;
  return { status, latencyMs: latenciesMs[place] || null, bidMicros: bidsMicros[place] ?? 0 };
}

/** How a partner came out for a request. Rows have the highest bid, and not whether it was valid. */
function resultOf(request: StoredRequest, provider: string): TextedResult {
  if (request.winner === provider) return withText("won", "Its ad was the first of the answer", request.priceMicros);
  if (!request.asked.includes(provider)) return withText("not_asked", "Not asked for this imp");
  const facts = factsOf(request, provider);
  if (facts === null) return withText("asked", "Its answer is not kept");
  const { status, latencyMs, bidMicros } = facts;
  switch (status) {
    case "bid":
      return withText(
        "bid",
        request.noAd === "invalid_bids" ? "Not valid; why is not kept" : "Whether its bid was valid is not kept",
        bidMicros === 0 ? null : bidMicros,
      );
    case "no_bid":
      return withText("no_bid", "");
    case "timeout":
      return withText("timeout", latencyMs === null ? "No answer in time" : timeoutText(latencyMs));
    default:
      return withText("failed", failureText({ status }));
  }
}

/** The ad of the first counted impression, whichever of the answer it was; null if none was counted. */
function shownAd(row: StoredRequest, events: readonly StoredEvent[]) {
  const event = events.find(({ invalid }) => invalid === "");
  if (!event) return null;
  const { provider, campaignId, revenueMicros, expectedMicros } = event;
  const isServed = provider === row.winner && campaignId === row.campaignId;
  const unpaid = unpaidProvider(provider);
  return {
    provider,
    campaignId,
    unpaid,
    isServed,
    priceMicros: unpaid === "line" ? expectedMicros : isServed ? row.priceMicros : soldMicros(row, event),
    afterMs: Math.max(0, event.atMs - row.atMs),
    revenueMicros,
  };
}

/** The CPM of an ad behind the first: what its provider bid, if that is what was sold. An event has it rounded. */
function soldMicros({ asked, bidsMicros }: StoredRequest, { provider, grossMicros }: StoredEvent): number {
  const bidMicros = bidsMicros[asked.indexOf(provider)] ?? 0;
  return impressionMicros(bidMicros) === grossMicros ? bidMicros : grossMicros * 1000;
}

function impOf(row: StoredRequest, record: AuctionRecord): Explanation["imps"][number] {
  const { app, events, knownSharePpm, partnerName } = record;
  const own = eventsOfImp(events, row.imp, row).filter(({ kind }) => kind === "impression");
  const nameOf = (provider: string, id: number) =>
    (provider === LINE_PROVIDER.id && app.lineItems.find((item) => item.id === id)?.name) || partnerName(provider);
  const notCounted = own.find(({ invalid }) => invalid !== "");
  const served =
    row.winner === ""
      ? null
      : { provider: row.winner, priceMicros: row.priceMicros, unpaid: unpaidProvider(row.winner), latencyMs: null };
  const shown = served && shownAd(row, own);
  const noAd = served === null ? noAdOf(row, { noAdReason: null }) : null;
  const story: ImpStory = {
    format: row.format,
    isTest: false,
    floorMicros: null,
    noAd,
    served: served && { ...served, name: nameOf(row.winner, row.campaignId) },
    next: undefined,
    shown: shown && { ...shown, name: nameOf(shown.provider, shown.campaignId) },
    notCounted: notCounted ? notCountedText(notCounted.invalid) : null,
    results: row.asked.map((provider) => ({
      ...resultOf(row, provider),
      name: partnerName(provider),
      kind: provider === CAMPAIGN_PROVIDER.id ? ("campaign" as const) : ("bidding" as const),
    })),
  };
  const sold = shown ?? served;
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
      sold?.unpaid !== null
        ? null
        : pricedAd({
            provider: sold.provider,
            name: partnerName(sold.provider),
            priceMicros: sold.priceMicros,
            sharePpm: null,
            knownSharePpm,
            revenueMicros: shown?.revenueMicros ?? null,
          }),
    answered_ms: Math.round(row.durationMs * 100) / 100,
  };
}
