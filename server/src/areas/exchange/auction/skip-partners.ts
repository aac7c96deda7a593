import type { BiddingParticipant, Offer } from "@millrace/auction";
import { drawSkip, type Skips } from "@millrace/learning";
import type { AppConfig } from "../config/snapshot.ts";

/** Where partners are predicted not to bid; undefined for one that is asked everywhere. */
export interface KnownSkips {
  of(partnerId: string): Skips | undefined;
}

interface SkipRequest {
  auctionId: string;
  app: Pick<AppConfig, "id" | "platform">;
  country: string;
  offers: readonly Offer[];
}

/**
 * The participants with what was drawn for those that are predicted not to bid. What is drawn depends on the auction's id
 * alone, and the trace keeps it. Returns the same list if none is.
 */
export function withSkips(
  participants: BiddingParticipant[],
  known: KnownSkips,
  { auctionId, app, country, offers }: SkipRequest,
): BiddingParticipant[] {
  const cells = offers.map(({ format }) => ({ format, country, platform: app.platform, appId: app.id }));
  let isChanged = false;
  const drawn = participants.map((participant) => {
    const skips = participant.enabled && participant.hasKeys ? known.of(participant.id) : undefined;
    const skip = skips && drawSkip({ seed: auctionId, partnerId: participant.id }, skips, cells);
    if (!skip) return participant;
    isChanged = true;
    return { ...participant, skip: { isSkipped: skip.value, probability: skip.probability } };
  });
  return isChanged ? drawn : participants;
}
