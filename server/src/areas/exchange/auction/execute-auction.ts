import {
  type AdFormat,
  type AuctionInput,
  type BidPlace,
  type Consent,
  eligibility,
  type Eligibility,
  LazyDecision,
  type Offer,
} from "@millrace/auction";
import type { BidRequest, Imp } from "@millrace/openrtb";
import type { PartnerBid } from "@millrace/partners";
import type { AddressedCall, BidClient, CallOutcome } from "../../../platform/bid-client/index.ts";
import type { AuctionCampaigns } from "../campaigns/auction-campaigns.ts";
import type { AuctionInhouse } from "../campaigns/auction-inhouse.ts";
import type { AppConfig } from "../config/snapshot.ts";
import type { Keyring } from "../delivery/secrets.ts";
import { OutboundRequests } from "../privacy/outbound-requests.ts";
import type { Privacy } from "../privacy/privacy-of.ts";
import type { TcfReader } from "../privacy/read-tcf.ts";
import { recordableRequest } from "../privacy/recordable-request.ts";
import type { Breakers } from "./breakers.ts";
import type { Bidders } from "./bidders.ts";
import { empty, type PartnerCall, type ReadCall, readOutcome } from "./read-outcome.ts";

export interface AuctionDeps {
  client: BidClient;
  breakers: Breakers;
  tcf: TcfReader;
  keyring: Keyring;
}

/** The input of an auction. */
export interface AuctionSetup {
  auctionId: string;
  /** Epoch milliseconds. */
  at: number;
  /** The deadline for bids, on the clock of `performance.now()`. */
  deadlineAt: number;
  /** The time for the request, from its arrival to the response. */
  deadlineMs: number;
  configVersion: string;
  app: AppConfig;
  /** The publisher's share of a cleared price on the day of the auction. */
  revenueSharePpm: number;
  /** A validated request with all personal data; each partner only gets the part it may know. */
  request: BidRequest;
  formats: Record<string, AdFormat>;
  /** The imps of the request with the floors that buyers get. */
  offers: readonly Offer[];
  device: AuctionInput["device"];
  privacy: Privacy;
  consent: Consent;
  bidders: Bidders;
  /** The campaigns that bid without being called; null if none does. */
  campaigns: AuctionCampaigns | null;
  /** The in-house campaigns, which bid in the same way. */
  inhouse: AuctionInhouse | null;
  /** Whether the trace is kept, for which markup is hashed. */
  isTraced: boolean;
}

/** An executed auction. */
export interface AuctionResult {
  setup: AuctionSetup;
  input: AuctionInput;
  /** One for each call, with its well-formed bids. */
  calls: readonly Pick<ReadCall, "response" | "bids">[];
  decision: LazyDecision;
  /** The bid of a candidate or a verdict; undefined if it was malformed. */
  bidAt(place: BidPlace): PartnerBid | undefined;
}

/** Calls all eligible partners and decides. Never rejects because of a partner. */
export async function executeAuction(deps: AuctionDeps, setup: AuctionSetup): Promise<AuctionResult> {
  const { client, breakers } = deps;
  const input = inputOf(deps, setup);
  const eligible = eligibility(input, setup.offers);
  const outbound = new OutboundRequests(setup.request, setup.privacy);
  const { calls, requests, failed } = callsOf(setup, eligible, breakers, outbound);
  input.redactions = outbound.redactions();
  const outcomes = await client.sendAll(requests, setup.deadlineAt, true);
  const now = performance.now();
  const reads: ReadCall[] = failed;
  for (let index = 0; index < calls.length; index++) {
    const call = calls[index] as PartnerCall;
    const read = readOutcome(call, outcomes[index] as CallOutcome, setup.isTraced);
    const { status } = read.response;
    breakers.answered(call.participantId, status === "bid" || status === "no_bid", now);
    reads.push(read);
  }
  for (const call of [...(setup.campaigns?.calls ?? []), ...(setup.inhouse?.calls ?? [])]) {
    if (eligible.eligible.some(({ participantId }) => participantId === call.response.participantId)) reads.push(call);
  }
  const responses = reads.map(({ response }) => response);
  return {
    setup,
    input,
    calls: reads,
    decision: new LazyDecision(input, responses, eligible),
    bidAt({ participantId, call, index }) {
      const read = reads.find(({ response }) => response.participantId === participantId && response.call === call);
      return read?.bids[index];
    },
  };
}

function inputOf({ keyring }: AuctionDeps, setup: AuctionSetup): AuctionInput {
  return {
    id: setup.auctionId,
    at: setup.at,
    seed: setup.auctionId,
    configVersion: setup.configVersion,
    deadlineMs: setup.deadlineMs,
    request: setup.isTraced ? recordableRequest(setup.request, keyring) : setup.request,
    app: setup.app.facts,
    device: setup.device,
    consent: setup.consent,
    participants: participantsOf(setup),
    formats: setup.formats,
    revenueSharePpm: setup.revenueSharePpm,
  };
}

function participantsOf({ bidders, campaigns, inhouse }: AuctionSetup): AuctionInput["participants"] {
  if (campaigns === null && inhouse === null) return bidders.participants;
  return [...bidders.participants, ...(campaigns?.participants ?? []), ...(inhouse?.participants ?? [])];
}

/** The calls to make, with the request as sent, and those that could not be built. */
interface Calls {
  calls: PartnerCall[];
  requests: AddressedCall[];
  failed: ReadCall[];
}

function callsOf(
  { request, bidders }: AuctionSetup,
  { eligible }: Eligibility,
  breakers: Breakers,
  outbound: OutboundRequests,
): Calls {
  const made: Calls = { calls: [], requests: [], failed: [] };
  const imps = new Map(request.imp.map((imp) => [imp.id, imp]));
  for (const { participantId, impIds } of eligible) {
    const partner = bidders.partner(participantId);
    if (!partner) continue;
    if (breakers.view(participantId) === "half_open") breakers.probed(participantId, performance.now());
    const keyed = impIds.map((id) => {
      const imp = imps.get(id) as Imp;
      return { imp, keys: bidders.keys(participantId, imp) ?? {} };
    });
    const prepared = outbound.requestFor(participantId, partner.gvlId);
    const ask = { request: prepared, imps: keyed, settings: partner.settings };
    const built = partner.adapter.buildRequests(ask);
    if (!built.ok) {
      made.failed.push(empty({ participantId, call: 0 }, built.code, 0));
      continue;
    }
    for (let call = 0; call < built.requests.length; call++) {
      const each = built.requests[call];
      if (each === undefined) continue;
      made.calls.push({ participantId, call, adapter: partner.adapter, ask, request: each });
      made.requests.push({ call: each, trustedOrigin: partner.origin });
    }
  }
  return made;
}
