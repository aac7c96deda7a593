import type { BidFault } from "./bid-faults.ts";
import type { Deal, Imp } from "./bid-request.ts";
import { PROTOCOL } from "./lists.ts";
import type { Audio, Video } from "./media.ts";
import type { MediaType } from "./media-type.ts";
import type { VastGlance } from "./vast/glance-at-vast.ts";

/** What a bid says of its video or audio: `dur` in seconds. A 0 means that it says nothing. */
export interface StreamTerms {
  dur?: number;
  protocol?: number;
  /** What its VAST document says of its length and version; it counts where the bid says nothing. */
  vast?: VastGlance;
  /** The API frameworks that the markup supports, of AdCOM's list. */
  apis?: readonly number[];
  /** The place in a pod that the ad is for: 1 the first, -1 the last, 2 either of them. */
  slotinpod?: number;
}

/** The major version of VAST of AdCOM's protocols that are VAST. */
const VAST_MAJORS: ReadonlyMap<number, number> = new Map(
  Object.entries(PROTOCOL).flatMap(([name, protocol]) => {
    const [, major] = /^vast(\d)/.exec(name) ?? [];
    return major === undefined ? [] : [[protocol, Number(major)] as const];
  }),
);

/** What an imp says of the video or audio that it takes; undefined for the other media types. */
const placeOf = (imp: Imp, type: MediaType | undefined): Video | Audio | undefined =>
  type === "video" || type === "audio" ? imp[type] : undefined;

/**
 * Checks the length, the protocol, the API and the place in the pod of a video or audio bid, as far as it or its document tells them
 * (OpenRTB 2.6, sections 3.2.7, 3.2.8 and 4.2.3).
 */
export function checkStream(terms: StreamTerms, imp: Imp, type: MediaType): BidFault | undefined {
  const { apis = [], slotinpod = 0 } = terms;
  const dur = lengthOf(terms);
  const place = placeOf(imp, type);
  if (place === undefined) return undefined;
  if (dur > 0 && !takesDuration(place, dur)) return "wrong_duration";
  if (!takesProtocol(acceptedProtocols(place), terms)) return "wrong_protocol";
  if (needsVpaid(apis) && !apis.some((api) => place.api?.includes(api))) return "wrong_api";
  return takesSlot(place, slotinpod) ? undefined : "wrong_slot";
}

/**
 * Whether a place takes the bid's protocol or, if the bid names none, a document of that VAST version. Places that list the
 * protocols of an earlier minor version, or none with a wrapper, are common, and their players take what buyers send.
 */
function takesProtocol(accepted: readonly number[] | null, { protocol = 0, vast }: StreamTerms): boolean {
  if (accepted === null) return true;
  if (protocol > 0) return accepted.includes(protocol);
  const majors = accepted.flatMap((each) => VAST_MAJORS.get(each) ?? []);
  return vast?.major === undefined || majors.length === 0 || majors.includes(vast.major);
}

const lengthOf = ({ dur, vast }: StreamTerms): number => dur || (vast?.dur ?? 0);

/** VPAID 1 and 2 in AdCOM's list. Markup that supports nothing else plays only where its API is supported. */
const VPAID: readonly number[] = [1, 2];
const needsVpaid = (apis: readonly number[]): boolean => apis.length > 0 && apis.every((api) => VPAID.includes(api));

/** The first and the last place of a pod, and either of them (AdCOM's list of slot positions in a pod). */
const SLOT = { first: 1, last: -1, firstOrLast: 2 } as const;

/**
 * Whether a place is at the position that a bid is for. A place without a guaranteed position passes, as nothing is known of it.
 */
function takesSlot({ slotinpod: own = 0 }: Video | Audio, slot: number): boolean {
  if (slot === 0 || own === 0 || slot === own) return true;
  return slot === SLOT.firstOrLast && (own === SLOT.first || own === SLOT.last);
}

/** Whether a place takes a video or audio of a length in seconds. */
export function takesDuration(place: Video | Audio, seconds: number): boolean {
  const { minduration = 0, maxduration, maxextended = 0, rqddurs, poddur } = place;
  // 0 is no limit in practice, and an extension of -1 is one without a limit.
  const own = maxextended < 0 ? Infinity : (maxduration || Infinity) + maxextended;
  // No ad is longer than all of its pod.
  const longest = Math.min(own, poddur || Infinity);
  const isRequiredLength = rqddurs === undefined || rqddurs.length === 0 || rqddurs.includes(seconds);
  return isRequiredLength && seconds >= minduration && seconds <= longest;
}

/** The protocols that a place accepts; null if it accepts all. */
export function acceptedProtocols({ protocols, protocol }: Pick<Video, "protocols" | "protocol">): number[] | null {
  if (protocols !== undefined && protocols.length > 0) return protocols;
  return protocol === undefined ? null : [protocol];
}

/** Whether a deal has a floor. For one without, those of the imp apply (section 7.11). */
export const hasFloor = ({ bidfloor, durfloors = [], mincpmpersec }: Deal): boolean =>
  bidfloor !== undefined || mincpmpersec !== undefined || durfloors.length > 0;

/**
 * The floor for a bid's length, in the currency of the imp or deal whose `bidfloor` it replaces: the floor of the range with that
 * length (section 3.2.35), the highest if there are several, and no less than the price per second (`mincpmpersec`). Undefined if
 * neither the bid nor its document gives a length, or if no floor depends on it.
 */
export function lengthFloorOf(
  terms: StreamTerms,
  imp: Imp,
  { type, deal }: { type: MediaType | undefined; deal: Deal | undefined },
): number | undefined {
  const place = placeOf(imp, type);
  const dur = lengthOf(terms);
  if (place === undefined || dur <= 0) return undefined;
  const { durfloors = [], mincpmpersec = 0 } = deal ?? place;
  const ranges = durfloors.filter(({ mindur = 0, maxdur = Infinity }) => dur >= mindur && dur <= maxdur);
  if (ranges.length === 0 && mincpmpersec === 0) return undefined;
  const floors = ranges.length > 0 ? ranges : [deal ?? imp];
  return Math.max(mincpmpersec * dur, ...floors.map(({ bidfloor = 0 }) => bidfloor));
}
