import {
  type AdFormat,
  type AuctionInput,
  type BiddingParticipant,
  type BidPlace,
  type Consent,
  eligibility,
  type Eligibility,
  type FloorDraw,
  LazyDecision,
  type Offer,
  type Participant,
} from "@millrace/auction";
import type { BidRequest, Exclusions, Imp } from "@millrace/openrtb";
import type { PartnerBid } from "@millrace/partners";
import type { AddressedCall, BidClient, CallOutcome } from "../../../platform/bid-client/index.ts";
import type { AuctionCampaigns } from "../campaigns/auction-campaigns.ts";
import type { AuctionInhouse } from "../campaigns/auction-inhouse.ts";
import type { SwitchedOff } from "../config/kill-switches.ts";
import { type AppConfig, routeIn } from "../config/snapshot.ts";
import type { AuctionLines } from "../line-items/auction-lines.ts";
import type { Keyring } from "../delivery/secrets.ts";
import { OutboundRequests } from "../privacy/outbound-requests.ts";
import type { Privacy } from "../privacy/privacy-of.ts";
import type { TcfReader } from "../privacy/read-tcf.ts";
import { recordableRequest } from "../privacy/recordable-request.ts";
import type { Breakers } from "./breakers.ts";
import { type Bidders, storedKeys } from "./bidders.ts";
import { PartnerVerdicts } from "./judge-partners.ts";
import type { QueryLimits } from "./query-limits.ts";
import { tmaxWithin } from "./tmax-within.ts";
import { type PartnerCall, type ReadCall, readOutcome, unbuilt } from "./read-outcome.ts";

export interface AuctionDeps {
  client: BidClient;
  breakers: Breakers;
  limits: QueryLimits;
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
  /** The caller gives less time than the platform does. */
  isHurried: boolean;
  configVersion: string;
  app: AppConfig;
  /** The publisher's share of a cleared price on the day of the auction. */
  revenueSharePpm: number;
  /** A validated request with all personal data; each partner only gets the part it may know. */
  request: BidRequest;
  formats: Record<string, AdFormat>;
  /** The imps of the request with the floors that buyers get. */
  offers: readonly Offer[];
  /** What the request and the app's lists exclude. */
  exclusions: Exclusions;
  /** What was drawn for the imps whose floors are automatic; undefined without any. */
  floorDraws: readonly FloorDraw[] | undefined;
  device: AuctionInput["device"];
  /** US dollars per unit of a currency. */
  ratesToUsd: Record<string, number>;
  privacy: Privacy;
  consent: Consent;
  bidders: Bidders;
  /** What the operator's kill switches cover; null for almost every request. */
  switchedOff: SwitchedOff | null;
  /** See `AuctionInput`. */
  isUnplayable: boolean;
  /** The campaigns that bid without being called; null if none does. */
  campaigns: AuctionCampaigns | null;
  /** Whether one could win: false where none is chosen, whatever they bid, and where the answer may not be in dollars. */
  mayCampaignsWin: boolean;
  /** The in-house campaigns, which bid in the same way. */
  inhouse: AuctionInhouse | null;
  /** The app's line items, which are ranked at expected prices. */
  lines: AuctionLines | null;
  /** Whether the trace is kept, for which markup is hashed. */
  isTraced: boolean;
}

/** An executed auction. */
export interface AuctionResult {
  setup: AuctionSetup;
  input: AuctionInput;
  /** One for each call, with its well-formed bids. */
  calls: readonly ReadCall[];
  decision: LazyDecision;
  /** The bid of a candidate or a verdict; undefined if it was malformed. */
  bidAt(place: BidPlace): PartnerBid | undefined;
  /** The alias under which the bidder was asked for it; undefined if by its own name. */
  askedAs(place: BidPlace): string | undefined;
  /** The currency of a bid; undefined if there is none. */
  currencyAt(place: BidPlace): string | undefined;
}

/** Calls all eligible partners and decides. Never rejects because of a partner. */
export async function executeAuction(deps: AuctionDeps, setup: AuctionSetup): Promise<AuctionResult> {
  const { client, breakers } = deps;
  const input = inputOf(deps, setup);
  const eligible = eligibility(input, setup.offers);
  const outbound = new OutboundRequests(setup.request, setup.privacy);
  const { calls, requests, failed, tmaxes } = callsOf(setup, eligible, deps, outbound);
  input.redactions = outbound.redactions();
  if (tmaxes.length > 0) input.tmaxes = tmaxes;
  const outcomes = await client.sendAll(requests, setup.deadlineAt, true);
  const reads: ReadCall[] = failed;
  const verdicts = new PartnerVerdicts();
  for (let index = 0; index < calls.length; index++) {
    const call = calls[index] as PartnerCall;
    const read = readOutcome(call, outcomes[index] as CallOutcome, setup.isTraced);
    verdicts.add(call.participantId, read.response, call.terms);
    reads.push(read);
  }
  verdicts.tell(breakers, performance.now());
  for (const call of uncalledOf(setup, ({ calls }) => calls)) {
    if (eligible.eligible.some(({ participantId }) => participantId === call.response.participantId)) reads.push(call);
  }
  const responses = reads.map(({ response }) => response);
  const readAt = ({ participantId, call }: BidPlace) =>
    reads.find(({ response }) => response.participantId === participantId && response.call === call);
  return {
    setup,
    input,
    calls: reads,
    decision: new LazyDecision(input, responses, eligible, setup.exclusions),
    bidAt: (place) => readAt(place)?.bids[place.index],
    askedAs: (place) => readAt(place)?.askedAs,
    currencyAt: (place) => readAt(place)?.response.bids[place.index]?.cur,
  };
}

function inputOf({ keyring, limits }: AuctionDeps, setup: AuctionSetup): AuctionInput {
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
    participants: participantsOf(setup, limits),
    ...(setup.switchedOff?.everything && { isSwitchedOff: true }),
    ...(setup.isUnplayable && { isUnplayable: true }),
    formats: setup.formats,
    revenueSharePpm: setup.revenueSharePpm,
    ...(setup.floorDraws && { floorDraws: setup.floorDraws }),
    ...(setup.isTraced ? tracedRates(setup) : { ratesToUsd: setup.ratesToUsd }),
  };
}

/** A trace keeps the rates of the currencies that the auction may meet: they decide, and the others would only fill the store. */
function tracedRates({ request, bidders, ratesToUsd }: AuctionSetup): Pick<AuctionInput, "ratesToUsd"> {
  const met = new Set([
    ...(request.cur ?? []),
    ...request.imp.flatMap(({ bidfloorcur, pmp }) => [
      bidfloorcur,
      ...(pmp?.deals ?? []).map((deal) => deal.bidfloorcur),
    ]),
    ...bidders.participants.flatMap(({ currencies }) => currencies),
  ]);
  const used = Object.entries(ratesToUsd).filter(([currency]) => met.has(currency));
  return used.length === 0 ? {} : { ratesToUsd: Object.fromEntries(used) };
}

function participantsOf(setup: AuctionSetup, limits: QueryLimits): AuctionInput["participants"] {
  const { bidders, switchedOff } = setup;
  const asked = withSwitches(bidders.participants, switchedOff);
  const partners = limits.marked(asked, bidders.partner, performance.now());
  const others = uncalledOf<Participant>(setup, ({ participants }) => participants);
  return others.length === 0 ? partners : [...partners, ...others];
}

/** The participants, marked if a kill switch covers them. Returns the same list if none does. */
const withSwitches = (participants: BiddingParticipant[], off: SwitchedOff | null): BiddingParticipant[] =>
  off === null || off.partners.size === 0
    ? participants
    : participants.map((each) => (off.partners.has(each.id) ? { ...each, isSwitchedOff: true } : each));

type Uncalled = AuctionCampaigns | AuctionInhouse | AuctionLines;

/** What the sources that bid without being called contribute. */
const uncalledOf = <T>({ campaigns, inhouse, lines }: AuctionSetup, of: (source: Uncalled) => readonly T[]): T[] =>
  [campaigns, inhouse, lines].flatMap((source) => (source === null ? [] : of(source)));

/** The calls to make, with the request as sent, and those that could not be built. */
interface Calls {
  calls: PartnerCall[];
  requests: AddressedCall[];
  failed: ReadCall[];
  tmaxes: NonNullable<AuctionInput["tmaxes"]>[number][];
}

function callsOf(
  { app, request, bidders, device, ratesToUsd, deadlineAt, isHurried }: AuctionSetup,
  { eligible }: Eligibility,
  { client, breakers, limits }: AuctionDeps,
  outbound: OutboundRequests,
): Calls {
  const result: Calls = { calls: [], requests: [], failed: [], tmaxes: [] };
  const leftMs = deadlineAt - performance.now();
  const imps = new Map(request.imp.map((imp) => [imp.id, imp]));
  for (const { participantId, impIds } of eligible) {
    const partner = bidders.partner(participantId);
    if (!partner) continue;
    const { settings, origin } = routeIn(partner, device.worldRegion);
    const transitMs = origin === null ? null : client.transitMs(origin);
    const tmaxMs = transitMs === null ? undefined : tmaxWithin(leftMs, transitMs);
    if (tmaxMs !== undefined) result.tmaxes.push({ participantId, tmaxMs });
    let call = 0;
    for (const name of bidders.names(participantId)) {
      const keyed = impIds.flatMap((id) => {
        const imp = imps.get(id) as Imp;
        const keys = bidders.keys(name, imp);
        return keys === null ? [] : [{ imp, keys }];
      });
      if (keyed.length === 0) continue;
      const isOurs = origin !== null && keyed.every(({ imp, keys }) => keys === storedKeys(app, participantId, imp));
      const askedAs = name === participantId ? undefined : name;
      const prepared = outbound.requestFor(participantId, partner.gvlId, name);
      const ask = { request: prepared, askedAs, imps: keyed, settings, ratesToUsd, tmaxMs };
      const partnerCall = {
        participantId,
        adapter: partner.adapter,
        ask,
        askedImpIds: impIds,
        terms: { isOurs, isHurried },
      };
      const built = partner.adapter.buildRequests(ask);
      if (!built.ok) result.failed.push(unbuilt({ ...partnerCall, call: call++ }, built.code));
      for (const request of built.ok ? built.requests : []) {
        const index = call++;
        // Of several calls, those above the limit are left out; the first one was checked with the participant.
        if (!limits.take(partner, performance.now())) continue;
        if (breakers.view(participantId) === "half_open") breakers.probed(participantId, performance.now());
        result.calls.push({ ...partnerCall, call: index, request });
        result.requests.push({ call: request, trustedOrigin: origin });
      }
    }
  }
  return result;
}
