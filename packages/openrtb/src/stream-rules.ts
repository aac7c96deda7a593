import type { BidFault } from "./bid-faults.ts";
import type { Deal, Imp } from "./bid-request.ts";
import type { Audio, DurFloor, Video } from "./media.ts";
import type { MediaType } from "./media-type.ts";

/** What a bid says of its video or audio: `dur` in seconds. A 0 in either means that it says nothing. */
export interface StreamTerms {
  dur?: number;
  protocol?: number;
}

/** What an imp says of the video or audio that it takes; undefined for the other media types. */
const placeOf = (imp: Imp, type: MediaType | undefined): Video | Audio | undefined =>
  type === "video" || type === "audio" ? imp[type] : undefined;

/** Checks the length and the protocol of a video or audio bid, as far as it tells them (OpenRTB 2.6, sections 3.2.7, 3.2.8). */
export function checkStream({ dur = 0, protocol = 0 }: StreamTerms, imp: Imp, type: MediaType): BidFault | undefined {
  const place = placeOf(imp, type);
  if (place === undefined) return undefined;
  if (dur > 0 && !takesDuration(place, dur)) return "wrong_duration";
  if (protocol > 0 && acceptedProtocols(place)?.includes(protocol) === false) return "wrong_protocol";
  return undefined;
}

/** Whether a place takes a video or audio of a length in seconds. */
export function takesDuration(place: Video | Audio, seconds: number): boolean {
  const { minduration = 0, maxduration, maxextended = 0, rqddurs } = place;
  // 0 is no limit in practice, and an extension of -1 is one without a limit.
  const longest = maxextended < 0 ? Infinity : (maxduration || Infinity) + maxextended;
  const isAsked = rqddurs === undefined || rqddurs.length === 0 || rqddurs.includes(seconds);
  return isAsked && seconds >= minduration && seconds <= longest;
}

/** The protocols that a place accepts; null if it accepts all. */
export function acceptedProtocols({ protocols, protocol }: Pick<Video, "protocols" | "protocol">): number[] | null {
  if (protocols !== undefined && protocols.length > 0) return protocols;
  return protocol === undefined ? null : [protocol];
}

/**
 * The floor for the length of a bid, in the currency of the imp or deal: it applies in place of that one's `bidfloor` (section
 * 3.2.35). Of ranges that overlap, the one with the highest floor. Undefined if the bid tells no length or no range has it.
 */
export function durFloorOf(
  { dur = 0 }: StreamTerms,
  imp: Imp,
  { type, deal }: { type: MediaType | undefined; deal: Deal | undefined },
): DurFloor | undefined {
  const place = placeOf(imp, type);
  if (place === undefined || dur <= 0) return undefined;
  const fitting = ((deal ?? place).durfloors ?? []).filter(
    ({ mindur = 0, maxdur = Infinity }) => dur >= mindur && dur <= maxdur,
  );
  return fitting.toSorted((a, b) => (b.bidfloor ?? 0) - (a.bidfloor ?? 0))[0];
}
