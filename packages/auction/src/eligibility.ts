import type { Eligibility, ParticipantRef, Refusal } from "./decision.ts";
import {
  deviceRefusal,
  inhousePlaceRefusal,
  inhouseRefusal,
  placeRefusal,
  scheduleRefusal,
} from "./campaign-targeting.ts";
import { lineRefusal, linePlaceRefusal } from "./line-targeting.ts";
import type {
  AuctionInput,
  BiddingParticipant,
  CampaignParticipant,
  Consent,
  DeviceFacts,
  Participant,
} from "./input.ts";
import { acceptsCurrency, type Offer, offersOf, saleCurrencies } from "./offers.ts";
import { rateToUsd } from "./price.ts";
import type { RefusalReason } from "./reasons.ts";
import { hasVendor } from "./vendor-ids.ts";

interface Circumstances {
  live: boolean;
  isSwitchedOff: boolean;
  isUnplayable: boolean;
  childDirected: boolean;
  consent: Consent;
  currencies: string[];
  rates: AuctionInput["ratesToUsd"];
  at: number;
  device: DeviceFacts;
}

/**
 * Which participants may be called for which imp, and why the others may not. Each refusal has the first applicable
 * reason in this order: the app, the format on its platform, the partner's configuration, privacy law, a predicted no-bid, its limit of requests, the formats. So a refusal for
 * consent means that the app and the partner were ready. A campaign is refused for its targeting, then by its gates, and so is an in-house
 * campaign; a line item by its settings, see `lineRefusal`. Both lists keep the order of the participants. `offers` must be the result of
 * `offersOf(input)`; passing it avoids looking up the floors twice.
 */
export function eligibility(input: AuctionInput, offers: readonly Offer[] = offersOf(input)): Eligibility {
  const circumstances: Circumstances = {
    live: input.app.live,
    isSwitchedOff: input.isSwitchedOff === true,
    isUnplayable: input.isUnplayable === true,
    childDirected: input.app.childDirected || input.request.regs?.coppa === 1,
    consent: input.consent,
    currencies: saleCurrencies(input),
    rates: input.ratesToUsd,
    at: input.at,
    device: input.device,
  };
  const eligible: ParticipantRef[] = [];
  const refused: Refusal[] = [];
  for (const participant of input.participants) {
    const participantId = participant.id;
    const reason = refuse(participant, circumstances);
    if (reason !== undefined) {
      refused.push({ participantId, reason });
      continue;
    }
    const impIds: string[] = [];
    for (const offer of offers) {
      if (participant.kind === "campaign" && !participant.impIds.includes(offer.imp.id)) continue;
      const impReason = refuseOffer(participant, offer);
      if (impReason === undefined) impIds.push(offer.imp.id);
      else refused.push({ participantId, impId: offer.imp.id, reason: impReason });
    }
    if (impIds.length > 0) eligible.push({ participantId, impIds });
  }
  return { offers, eligible, refused };
}

function refuse(participant: Participant, circumstances: Circumstances): RefusalReason | undefined {
  const { live, isSwitchedOff, isUnplayable, consent, currencies, at, device } = circumstances;
  if (!live) return "app_not_live";
  if (isSwitchedOff) return "switched_off";
  if (isUnplayable && !isAdapter(participant)) return "format_unplayable";
  switch (participant.kind) {
    case "campaign":
      // Nothing about the user leaves the platform for a campaign, so no consent is asked for.
      if (!currencies.includes("USD")) return "currency_unsupported";
      return scheduleRefusal(participant.targeting, at) ?? deviceRefusal(participant.targeting, device);
    case "inhouse":
      return inhouseRefusal(participant.targeting, device);
    case "line":
      return lineRefusal(participant, consent);
    case "bidding":
      return refuseBidder(participant, circumstances);
  }
}

const isAdapter = (participant: Participant) => participant.kind === "line" && participant.serves === "sdk";

function refuseBidder(
  participant: BiddingParticipant,
  { childDirected, consent, currencies, rates, device }: Circumstances,
): RefusalReason | undefined {
  if (participant.isInactive) return "partner_inactive";
  if (!participant.enabled) return "partner_off";
  if (!participant.hasKeys) return "keys_missing";
  if (participant.isSwitchedOff) return "switched_off";
  if (participant.platforms?.includes(device.platform ?? "") === false) return "platform_unsupported";
  if (participant.regions?.includes(device.worldRegion ?? "") === false) return "region_unsupported";
  if (participant.breaker === "open") return "breaker_open";
  if (childDirected && !participant.acceptsChildDirected) return "child_directed";
  if (consent.gdprApplies && participant.gvlId === undefined) return "consent_unreachable";
  if (consent.gdprApplies && !hasVendor(consent.vendorIds, participant.gvlId ?? 0)) return "consent_missing";
  const bidsIn = participant.currencies.filter((own) =>
    acceptsCurrency(own, { accepted: currencies, own: participant.currencies }),
  );
  if (bidsIn.length === 0) return "currency_unsupported";
  if (!bidsIn.some((currency) => rateToUsd(currency, rates) !== undefined)) return "no_currency_rate";
  if (participant.skip?.isSkipped === true) return "predicted_no_bid";
  return participant.isRateLimited ? "rate_limited" : undefined;
}

function refuseOffer(participant: Participant, offer: Offer): RefusalReason | undefined {
  switch (participant.kind) {
    case "bidding":
      return refuseImp(participant, offer);
    case "campaign":
      return refuseAd(participant, offer);
    case "inhouse":
      // Floors are for those who pay.
      return inhousePlaceRefusal(participant.targeting, offer) ?? gateOf(participant, offer);
    case "line":
      return linePlaceRefusal(participant, offer);
  }
}

function refuseImp({ impIds, mediaTypes }: BiddingParticipant, { imp, floorMicros }: Offer): RefusalReason | undefined {
  if (impIds !== undefined && !impIds.includes(imp.id)) return "keys_missing";
  if (!mediaTypes.some((type) => imp[type] !== undefined)) return "media_type_unsupported";
  return floorMicros === null ? "floor_currency_unknown" : undefined;
}

function refuseAd(campaign: CampaignParticipant, offer: Offer): RefusalReason | undefined {
  const reason = placeRefusal(campaign.targeting, offer);
  if (reason !== undefined) return reason;
  return offer.floorMicros === null ? "floor_currency_unknown" : gateOf(campaign, offer);
}

const gateOf = ({ gates }: Pick<CampaignParticipant, "gates">, { imp }: Offer): RefusalReason | undefined =>
  gates?.find(({ impId }) => impId === imp.id)?.reason;
