import type { BiddingParticipant } from "@millrace/auction";
import type { Imp } from "@millrace/openrtb";
import { grouped } from "../../../platform/grouped.ts";
import { currenciesOf } from "../../demand-partners/index.ts";
import type { AppConfig, Demand, PartnerConfig } from "../config/snapshot.ts";
import type { Breakers } from "./breakers.ts";

type Keys = Record<string, unknown>;

/** The participants of an auction and their keys. */
export interface Bidders {
  participants: BiddingParticipant[];
  partner(participantId: string): PartnerConfig | undefined;
  /** The names under which a partner is asked, by calls of their own: its id, and a request's aliases of it. */
  names(participantId: string): readonly string[];
  /** Its keys for an imp under one of these names. */
  keys(name: string, imp: Imp): Keys | null;
  /** The request names them, and may bring keys that are not the app's. */
  areNamed?: true;
}

/** How an imp is sold: which kind of keys takes precedence, and whether the other kind is a fallback. */
type MediaGroup = "banner" | "video" | "banner_or_video";

function mediaGroupOf(imp: Imp): MediaGroup {
  if (imp.banner === undefined && imp.native === undefined) return "video";
  return imp.video === undefined && imp.audio === undefined ? "banner" : "banner_or_video";
}

function keysFor({ banner, video }: { banner: Keys | null; video: Keys | null }, mediaGroup: MediaGroup): Keys | null {
  if (mediaGroup === "banner_or_video") return banner ?? video;
  return mediaGroup === "banner" ? banner : video;
}

interface Remembered {
  generation: number;
  participants: BiddingParticipant[];
}
// An app's list stays the same until a breaker or the configuration changes.
const remembered = new WeakMap<AppConfig, Map<MediaGroup, Remembered>>();

/**
 * The app's own demand: all partners of the platform, including those without keys, so that the trace can explain why
 * one was not asked.
 */
export function biddersForApp(app: AppConfig, imps: readonly Imp[], breakers: Breakers): Bidders {
  breakers.advance(performance.now());
  return {
    participants: participantsOf(app, imps, breakers),
    partner: (id) => demandOf(app, id)?.partner,
    names: (id) => [id],
    keys: (id, imp) => storedKeys(app, id, imp),
  };
}

/** The app's own keys at a partner for an imp; null without any. */
export function storedKeys(app: AppConfig, partnerId: string, imp: Imp): Keys | null {
  const demand = demandOf(app, partnerId);
  return demand ? keysFor(demand, mediaGroupOf(imp)) : null;
}

const demandOf = (app: AppConfig, partnerId: string) => app.demandByPartner.get(partnerId);

function participantsOf(app: AppConfig, imps: readonly Imp[], breakers: Breakers): BiddingParticipant[] {
  const [first, ...others] = imps.map(mediaGroupOf);
  if (first === undefined || others.some((mediaGroup) => mediaGroup !== first)) return freshList(app, imps, breakers);
  const lists = remembered.get(app) ?? new Map<MediaGroup, Remembered>();
  const known = lists.get(first);
  if (known?.generation === breakers.generation) return known.participants;
  const participants = freshList(app, imps, breakers);
  lists.set(first, { generation: breakers.generation, participants });
  remembered.set(app, lists);
  return participants;
}

function freshList(app: AppConfig, imps: readonly Imp[], breakers: Breakers): BiddingParticipant[] {
  return app.demand.map((demand) => {
    const keyed = imps.filter((imp) => keysFor(demand, mediaGroupOf(imp)) !== null).map(({ id }) => id);
    const participant = participantOf(demand.partner, demand, breakers, keyed.length > 0);
    if (keyed.length > 0 && keyed.length < imps.length) participant.impIds = keyed;
    return participant;
  });
}

/** `demand` is the app's configuration at the partner, if any. */
function participantOf(
  partner: PartnerConfig,
  demand: Demand | undefined,
  breakers: Breakers,
  hasKeys: boolean,
): BiddingParticipant {
  return {
    kind: "bidding",
    id: partner.id,
    name: partner.name,
    mediaTypes: partner.mediaTypes,
    ...(partner.platforms && { platforms: partner.platforms }),
    ...(partner.regions && { regions: partner.regions }),
    enabled: partner.active && demand?.isOff !== true,
    ...(!partner.active && { isInactive: true }),
    hasKeys,
    ...(partner.gvlId !== undefined && { gvlId: partner.gvlId }),
    breaker: breakers.view(partner.id),
    currencies: currenciesOf(partner.settings),
    acceptsChildDirected: true,
  };
}

/** The keys in a request for a partner under one name, by imp id. */
export interface RequestParams {
  /** The partner's id, or an alias of it; unique in the request. */
  name: string;
  partner: PartnerConfig;
  byImp: ReadonlyMap<string, Keys>;
}

/**
 * Only the partners that a request names, with its keys for each imp. Empty keys stand for the app's stored ones, or for none
 * if the app has switched off the partner.
 */
export function biddersForRequest(app: AppConfig, params: readonly RequestParams[], breakers: Breakers): Bidders {
  breakers.advance(performance.now());
  const byName = new Map(params.map((each) => [each.name, each]));
  const byPartner = grouped(params, ({ partner }) => partner);
  const namesOf = new Map([...byPartner].map(([{ id }, named]) => [id, named.map(({ name }) => name)]));
  const keys = (name: string, imp: Imp): Keys | null => {
    const named = byName.get(name);
    const own = named?.byImp.get(imp.id);
    if (named === undefined || own === undefined || Object.keys(own).length > 0) return own ?? null;
    return storedKeys(app, named.partner.id, imp) ?? own;
  };
  return {
    participants: [...byPartner].map(([partner, named]) => ({
      ...participantOf(partner, demandOf(app, partner.id), breakers, true),
      impIds: [...new Set(named.flatMap(({ byImp }) => [...byImp.keys()]))],
    })),
    partner: (id) => params.find(({ partner }) => partner.id === id)?.partner,
    names: (id) => namesOf.get(id) ?? [],
    keys,
    areNamed: true,
  };
}
