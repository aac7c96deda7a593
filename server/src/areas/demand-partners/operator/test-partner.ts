import { randomUUID } from "node:crypto";
import { type Keys, type PartnerTest, type WorldRegion, WORLD_REGION_LABELS } from "@millrace/contract";
import { type BiddingParticipant, formatOfImp, judgeBid, priceToMicros, REASONS, recordBid } from "@millrace/auction";
import { type BidRequest, exclusionsOf, MEDIA_TYPES, type MediaType } from "@millrace/openrtb";
import { type Adapter, type BidsOf, bidsOf, type Host, type PartnerHttpRequest, requestsOf } from "@millrace/partners";
import { dayOf } from "@millrace/units";
import { type BidClient, type CallFailure, type CallOutcome, headersOf } from "../../../platform/bid-client/index.ts";
import { type Credentials, openCredentials } from "../credentials.ts";
import { currentToUsd, listRates } from "../currency-rates.ts";
import {
  currenciesOf,
  originOf,
  partnerSettings,
  worldRegionsOf,
  worldRegionsWithAddress,
} from "../partner-settings.ts";
import { isPrivateEndpoint } from "../../../platform/outbound/private-endpoint.ts";
import type { RatesDeps } from "./note-rate.ts";
import { findPartner, type PartnersDeps } from "./read-partners.ts";
import { sampleRequest } from "./sample-request.ts";

/** Longer than an auction's, because a test also wants to see a slow answer. */
const WAIT_MS = 2000;
const SHOWN_CHARACTERS = 20_000;
/** The only bidder of the auction that judges a test's bids. */
const PARTNER = "tested";

const FAILURES = {
  not_sendable: "The address cannot be called: it is in a private network, or a header cannot be sent",
  timeout: `No answer within ${WAIT_MS / 1000} seconds`,
  connection_failed: "The connection failed",
  closed_early: "The connection was closed before the answer was whole",
  not_http: "The answer is not HTTP/1.1",
  too_large: "The answer is too large",
  bad_encoding: "The answer's encoding was not asked for, or cannot be read",
} as const satisfies Record<CallFailure, string>;

export interface TestDeps extends PartnersDeps, Pick<RatesDeps, "rateDays"> {
  client: Pick<BidClient, "sendAll">;
}

/**
 * Sends a partner one test request as auctions do, to its address in the region if it has one there, with the same guard:
 * outside demo mode, no call reaches a private network. Without a region, it goes to the main address, from a country that
 * leads there if there is one.
 * Credentials are blacked out in what is returned. Problem `not_found` for an unknown partner.
 */
export async function testPartner(
  deps: TestDeps,
  id: string,
  { media_type: mediaType, keys, region }: { media_type: MediaType; keys: Keys; region?: WorldRegion | undefined },
): Promise<PartnerTest> {
  const { row, adapter } = await findPartner(deps.pool, id);
  const credentials = openCredentials(row.credentials, deps.sealer);
  if (credentials === null) return { calls: [], refused: "The credentials cannot be unsealed. Enter them again" };
  const regions = worldRegionsOf(row);
  if (region !== undefined && !regions.includes(region)) {
    return { calls: [], refused: `It is not asked in this region: ${WORLD_REGION_LABELS[region]}` };
  }
  const host: Host = { ...partnerSettings({ ...row, headers: { ...row.headers, ...credentials } }, adapter, region) };
  const elsewhere = worldRegionsWithAddress(row);
  const [toMain = "americas"] = [...regions.filter((each) => !elsewhere.includes(each)), ...regions];
  const request = sampleRequest(randomUUID(), mediaType, keys, region ?? toMain);
  const ratesToUsd = currentToUsd(await listRates(deps.pool), dayOf(deps.clock.now()), deps.rateDays);
  const requests = requestsOf(adapter, request, { host, ratesToUsd });
  if ("code" in requests) return { calls: [], refused: requests.message };
  if (requests.length === 0) return { calls: [], refused: `It is not asked for ${mediaType}` };
  // The client checks again when it connects, so that a name cannot lead elsewhere in between.
  if (!deps.demo && (await Promise.all(requests.map(({ url }) => isPrivateEndpoint(url)))).includes(true)) {
    return { calls: [], refused: "Its address is in a private network" };
  }
  const outcomes = await deps.client.sendAll(
    requests.map((call) => ({ call, trustedOrigin: deps.demo ? originOf(call.url) : null })),
    performance.now() + WAIT_MS,
    false,
  );
  const black = blackening(credentials);
  return {
    calls: requests.map((call, index) =>
      black(wireOf({ adapter, host, request, ratesToUsd, call, outcome: outcomes[index] as CallOutcome })),
    ),
    refused: null,
  };
}

interface Wire {
  adapter: Adapter;
  host: Host;
  request: BidRequest;
  ratesToUsd: Rates;
  call: PartnerHttpRequest;
  outcome: CallOutcome;
}

function wireOf({ adapter, host, request, ratesToUsd, call, outcome }: Wire): PartnerTest["calls"][number] {
  const { method, url, headers, body, gzip } = call;
  const sent = { method, url, headers, body: cut(body), gzip };
  if (!outcome.ok) {
    return { request: sent, response: null, failure: FAILURES[outcome.failure], reading: null, fault: null };
  }
  const { status, head, latencyMs } = outcome;
  const received = Object.entries(headersOf(head)).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const read = bidsOf(adapter, { status, headers: Object.fromEntries(received), body: outcome.body }, request, call, {
    host,
    ratesToUsd,
  });
  return {
    request: sent,
    response: {
      status,
      headers: Object.fromEntries(received),
      body: cut(outcome.body),
      latency_ms: Math.round(latencyMs * 10) / 10,
    },
    failure: null,
    reading: "code" in read ? null : readingOf(read, rulesOf(host, request, ratesToUsd)),
    fault: "code" in read ? read.message : null,
  };
}

type Rates = Readonly<Record<string, number>>;
type Rules = Parameters<typeof judgeBid>[2];

/** The rules of an auction with this partner alone, in which the publisher has no floor and blocks nothing. */
function rulesOf(host: Host, request: BidRequest, rates: Rates): Rules {
  const asked = { participantId: PARTNER, impIds: request.imp.map(({ id }) => id) };
  const partner: BiddingParticipant = {
    kind: "bidding",
    id: PARTNER,
    name: PARTNER,
    mediaTypes: MEDIA_TYPES,
    enabled: true,
    hasKeys: true,
    breaker: "closed",
    currencies: currenciesOf(host),
    acceptsChildDirected: true,
  };
  return {
    offers: request.imp.map((imp) => ({ imp, format: formatOfImp(imp), floorMicros: 0, ownFloorMicros: 0 })),
    asked: [asked],
    participants: [partner],
    currencies: request.cur ?? ["USD"],
    rates,
    exclusions: exclusionsOf(request),
  };
}

function readingOf({ currency, bids, malformed }: BidsOf, rules: Rules) {
  return {
    currency,
    bids: bids.map((read, index) => {
      const { fault } = judgeBid(recordBid(read, currency), { participantId: PARTNER, call: 0, index }, rules);
      return {
        price: priceToMicros(read.bid.price) === null ? null : read.bid.price,
        media_type: read.mediaType,
        seat: read.seat ?? null,
        advertiser: read.bid.adomain ?? [],
        creative: read.bid.crid ?? null,
        refused: fault === null ? null : REASONS[fault],
      };
    }),
    malformed: malformed.map(({ path, message }) => `${path} ${message}`),
  };
}

const cut = (text: string): string =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}… (${text.length} characters)` : text;

const BLACK = "•••";

/** Replaces every secret in the texts of a value, wherever a partner repeats it. */
function blackening(credentials: Credentials): <T>(value: T) => T {
  const secrets = Object.values(credentials);
  const black = (value: unknown): unknown => {
    if (typeof value === "string") return secrets.reduce((text, secret) => text.replaceAll(secret, BLACK), value);
    if (Array.isArray(value)) return value.map(black);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, black(each)]));
  };
  return <T>(value: T) => black(value) as T;
}
