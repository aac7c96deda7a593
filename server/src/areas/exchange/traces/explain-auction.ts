import { type AuctionInput, decodeTrace, replay } from "@millrace/auction";
import { type explainAuction, type ReplyInput, UNKNOWN_COUNTRY } from "@millrace/contract";
import type { AppConfig } from "../config/snapshot.ts";
import { recordedImpId } from "../delivery/recorded-imp-id.ts";
import { consentSummary } from "./consent-summary.ts";
import { explainImp, servedAd, zoneOf } from "./explain-imp.ts";
import { explainParticipant, participantKinds, partnerFacts, reasonOf } from "./explain-participant.ts";
import { hideAdvertisers } from "./hide-advertisers.ts";
import { partnerResult } from "./partner-result.ts";
import { recordedRequest } from "./recorded-wire.ts";
import {
  eventsOfImp,
  type StoredEvent,
  type StoredPlayerEvent,
  type StoredRequest,
  type StoredTrace,
} from "./stored-auction.ts";
import { whatFollowed } from "./what-followed.ts";

export type Explanation = ReplyInput<typeof explainAuction>;

/** What is stored of an auction besides its trace. */
export interface AuctionRecord {
  app: AppConfig;
  /** The version of the configuration in force, which `app` is from. */
  configVersion: string;
  /** Whether the reader may see whose campaigns took part. */
  showsAdvertisers: boolean;
  /** Whether the reader may see the app's keys at partners, which requests to them contain. */
  showsKeys: boolean;
  requests: readonly StoredRequest[];
  events: readonly StoredEvent[];
  playerEvents: readonly StoredPlayerEvent[];
  /** The publisher's share of that day, for what is not recorded with its own. */
  knownSharePpm: number;
  partnerName(id: string): string;
}

/** Explains a traced auction: what happened to each imp, and every participant's result with its reason. */
export function explain(stored: StoredTrace, record: AuctionRecord): Explanation {
  const recorded = decodeTrace(stored.bytes);
  const trace = record.showsAdvertisers ? recorded : hideAdvertisers(recorded);
  const { input, decision } = trace;
  const { app, requests, events, playerEvents, knownSharePpm, partnerName } = record;
  const names = new Map(input.participants.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id) ?? partnerName(id);
  const factsOf = partnerFacts(trace);
  const kindOf = participantKinds(input);
  const imps = decision.imps.map((imp) => {
    const impId = recordedImpId(imp.impId);
    const row = rowOf(requests, decision.imps.length === 1 ? undefined : impId);
    const decided = { imp, served: servedAd(imp, row) };
    const results = input.participants.map(({ id }) => ({ id, ...partnerResult(input, decided, factsOf(id)) }));
    const explained = explainImp({
      trace,
      decided,
      row,
      events: eventsOfImp(events, impId, row),
      results: results.map((result) => ({ ...result, name: nameOf(result.id), kind: kindOf(result.id) })),
      zone: zoneOf(input, imp.impId, row, app.zones),
      knownSharePpm,
      nameOf,
    });
    return { explained, results };
  });
  return {
    auction: decision.auctionId,
    app: { uuid: app.uuid, name: app.name },
    at: new Date(input.at).toISOString(),
    traced: true,
    seed: input.seed,
    config_version: input.configVersion,
    deadline_ms: input.deadlineMs,
    country: input.device.country ?? UNKNOWN_COUNTRY,
    device: deviceOf(input),
    consent: consentSummary(input, decision),
    test: decision.test,
    no_ad: decision.noAdReason && reasonOf(decision.noAdReason, input),
    imps: imps.map(({ explained }) => explained),
    participants: decision.participants.map((participant) => ({
      ...explainParticipant(trace, participant, factsOf(participant.participantId), record),
      name: nameOf(participant.participantId),
      results: imps.map(({ explained, results }) => {
        const found = results.find(({ id }) => id === participant.participantId);
        if (!found) throw new Error("a decision lists the participants of its input");
        return {
          imp: explained.imp,
          result: found.result,
          label: found.label,
          text: found.text,
          price: found.priceMicros,
        };
      }),
    })),
    request: recordedRequest(input),
    followed: whatFollowed(input.at, { events, playerEvents }, app.lineItems, nameOf),
    player_events: playerEvents.map(({ provider, event, error_code, at_ms }) => ({
      provider,
      event,
      error_code: error_code === 0 ? null : error_code,
      at: new Date(at_ms).toISOString(),
    })),
    replays: replay(stored.bytes).same,
  };
}

/** The row of an imp; of the only one, whatever its id, because earlier rows shorten long ids in another way. */
const rowOf = (requests: readonly StoredRequest[], impId: string | undefined): StoredRequest | undefined =>
  impId === undefined ? requests[0] : requests.find(({ imp }) => imp === impId);

const CONNECTIONS = { wifi: "Wi-Fi", cellular: "Cellular", ethernet: "Ethernet" } as const;

function deviceOf({ request, device }: AuctionInput): Explanation["device"] {
  const ours = request.imp.find(({ displaymanager }) => displaymanager === "Millrace");
  return {
    os: request.device?.os ?? null,
    os_version: request.device?.osv ?? device.osVersion,
    sdk_version: ours?.displaymanagerver ?? null,
    connection: device.network && CONNECTIONS[device.network],
  };
}
