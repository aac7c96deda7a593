import {
  deviceRefusal,
  type DeviceFacts,
  type GateReason,
  MAX_PRICE_MICROS,
  type Offer,
  placeRefusal,
  scheduleRefusal,
  seededHash,
} from "@millrace/auction";
import { CAMPAIGN_FORMATS, type CampaignFormat, SOLD_AS, SOLD_MEDIA } from "@millrace/contract";
import { type Exclusions, isExcluded } from "@millrace/openrtb";
import { MINUTE_MS, impressionMicros } from "@millrace/units";
import { type Budgets, type Hold, LONGEST_HOLD_MS } from "../../budgets/index.ts";
import { type AdMarkup, adFor } from "./ad-markup.ts";
import type { CampaignIndex, IndexedCampaign } from "./campaign-index.ts";
import type { CreativeRotation } from "./creative-rotation.ts";
import type { CapHold, FrequencyCaps } from "./frequency-caps.ts";
import type { LiveCampaign } from "./live-campaigns.ts";
import type { LiveCreative } from "./live-creatives.ts";
import type { Pacer } from "./pacer.ts";
import { creativesAt, leastFloorMicros } from "./video-floors.ts";

/** A request as campaigns see it. */
export interface CampaignRequest {
  auctionId: string;
  /** Epoch milliseconds. */
  at: number;
  /** The app belongs to the demo. */
  demo: boolean;
  facts: DeviceFacts;
  /** Only creatives that are suitable for children may be shown. */
  childDirected: boolean;
  /** What the publisher and the request exclude. */
  exclusions: Exclusions;
  /** The device's keyed hash, as a decimal string. */
  device: string;
  offers: readonly Offer[];
  /** US dollars per unit of a currency. */
  ratesToUsd: Readonly<Record<string, number>>;
  /** Nothing is held for a test, which is never billed. */
  isTest: boolean;
}

/** A campaign that bids on an imp, with what is held for it. */
export interface ChosenAd {
  campaign: LiveCampaign;
  creative: LiveCreative;
  impId: string;
  markup: AdMarkup;
  /** CPM. */
  priceMicros: number;
  /** The part of an experiment; empty without one. */
  arm: string;
  /** Null for a test. */
  held: { money: Hold; place: CapHold } | null;
}

/** A campaign that wanted an imp at a price above its floor, and what kept it from bidding. */
export interface Missed {
  campaign: LiveCampaign;
  impId: string;
  priceMicros: number;
  reason: GateReason;
}

export interface Choice {
  ads: ChosenAd[];
  missed: Missed[];
}

export interface ChooseDeps {
  index: CampaignIndex;
  caps: Pick<FrequencyCaps, "reserve" | "release">;
  pacer: Pick<Pacer, "planOf">;
  budgets: Pick<Budgets, "hold" | "release">;
  rotation: Pick<CreativeRotation, "choose">;
}

/** The most campaigns that bid on an imp: lower ones would be outbid by these. */
const MOST_ADS = 5;
/** The most campaigns whose targeting is looked at for an imp, whatever came of the first ones. */
const MOST_LOOKED_AT = 200;
/** The most campaigns without money whose targeting is looked at only to count what they miss. */
const MOST_MISSES = 50;
/** An impression at a lower CPM would cost nothing. */
const LEAST_PRICE_MICROS = 500;
/** A campaign without money is not asked about again for so long. */
const REST_MS = 1000;

/**
 * Chooses the campaigns that may win the imps of a request. An imp's campaigns are found from the highest bid down, and no
 * further than a bid can still be among its few; so a campaign that is not among them costs a comparison, and no memory.
 */
export class CampaignChooser {
  readonly #deps: ChooseDeps;
  /** Found campaigns that have not been asked yet, by price from low to high; reused, because choosing is synchronous. */
  readonly #found: IndexedCampaign[] = [];
  readonly #prices: number[] = [];
  #chosen = 0;

  constructor(deps: ChooseDeps) {
    this.#deps = deps;
  }

  /** Null if no campaign wants any of the imps. */
  choose(request: CampaignRequest): Choice | null {
    if (this.#deps.index.size === 0) return null;
    const choice: Choice = { ads: [], missed: [] };
    for (const offer of request.offers) this.#chooseFor(offer, request, choice);
    return choice.ads.length === 0 && choice.missed.length === 0 ? null : choice;
  }

  /** Takes the ads out of a choice whose places below the caps other processes have refused. */
  refuse(choice: Choice, refused: ReadonlySet<CapHold>): void {
    for (const { campaign, impId, priceMicros, held } of choice.ads.filter((ad) => isRefused(ad, refused))) {
      if (held) this.#deps.budgets.release(held.money);
      choice.missed.push({ campaign, impId, priceMicros, reason: "frequency_cap" });
    }
    choice.ads = choice.ads.filter((ad) => !isRefused(ad, refused));
  }

  /** Gives back what is held for an ad. */
  release({ held }: Pick<ChosenAd, "held">): void {
    if (held === null) return;
    this.#deps.budgets.release(held.money);
    this.#deps.caps.release(held.place);
  }

  #chooseFor(offer: Offer, request: CampaignRequest, choice: Choice): void {
    const { demo, facts, at, ratesToUsd } = request;
    const formats = formatsFor(offer);
    if (formats.length === 0 || !facts.campaignPlatform || offer.floorMicros === null) return;
    const floorMicros = Math.max(LEAST_PRICE_MICROS, leastFloorMicros(offer, offer.floorMicros, ratesToUsd));
    const most = choice.ads.length + MOST_ADS;
    this.#found.length = 0;
    this.#prices.length = 0;
    let looked = 0;
    let resting = 0;
    const { country, region = null, campaignPlatform: platform } = facts;
    this.#deps.index.walk({ demo, formats, platform, country: country ?? "", region }, (entry) => {
      const { campaign } = entry;
      if (campaign.bidMicros < floorMicros) return false;
      // Pacing only lowers bids: what was found above this bid goes first.
      if (!this.#askAbove(campaign.bidMicros, offer, request, choice, most)) return false;
      if (entry.dormantUntilMs > at) return true;
      const rests = entry.restUntilMs > at;
      if (rests && ++resting > MOST_MISSES) return true;
      if (++looked > MOST_LOOKED_AT) return false;
      if (scheduleRefusal(campaign.targeting, at) !== undefined) {
        entry.dormantUntilMs = (Math.floor(at / MINUTE_MS) + 1) * MINUTE_MS;
        return true;
      }
      if (deviceRefusal(campaign.targeting, facts) !== undefined) return true;
      if (placeRefusal(campaign.targeting, offer) !== undefined) return true;
      const { bidMicros, lack } = this.#deps.pacer.planOf(campaign.id, at);
      // Its own bid says what it misses without money: there is nothing for which it would be lowered.
      this.#find(entry, lack ? campaign.bidMicros : Math.min(campaign.bidMicros, bidMicros), floorMicros);
      return true;
    });
    this.#askAbove(0, offer, request, choice, most);
  }

  #find(entry: IndexedCampaign, priceMicros: number, floorMicros: number): void {
    if (priceMicros < floorMicros || priceMicros > MAX_PRICE_MICROS) return;
    const [found, prices] = [this.#found, this.#prices];
    let place = found.length;
    found.push(entry);
    prices.push(priceMicros);
    while (place > 0 && goesAfter(entry, priceMicros, found[place - 1] as IndexedCampaign, prices[place - 1] ?? 0)) {
      found[place] = found[place - 1] as IndexedCampaign;
      prices[place] = prices[place - 1] ?? 0;
      place--;
    }
    found[place] = entry;
    prices[place] = priceMicros;
  }

  /** Asks the gates of those found with a price above this one, the highest first. False once the imp has enough. */
  #askAbove(priceMicros: number, offer: Offer, request: CampaignRequest, choice: Choice, most: number): boolean {
    while (choice.ads.length < most) {
      const price = this.#prices.at(-1);
      if (price === undefined || price <= priceMicros) return true;
      this.#prices.pop();
      this.#ask(this.#found.pop() as IndexedCampaign, price, offer, request, choice);
    }
    return false;
  }

  #ask(entry: IndexedCampaign, priceMicros: number, offer: Offer, request: CampaignRequest, choice: Choice): void {
    const { campaign } = entry;
    const { imp } = offer;
    const { auctionId, at, isTest, childDirected, exclusions, ratesToUsd } = request;
    const base = { campaign, impId: imp.id, priceMicros };
    // Before its creatives are looked at, which takes longer.
    if (!isTest && entry.restUntilMs > at && entry.restReason !== null) {
      choice.missed.push({ ...base, reason: entry.restReason });
      return;
    }
    const { targeting, bundle } = campaign;
    const suitable = childDirected ? campaign.creatives.filter(({ forChildren }) => forChildren) : campaign.creatives;
    // The auction would refuse them, and others could have had their place.
    const creatives = suitable.filter(
      ({ adomain, categories }) => !isExcluded({ adomain, cat: categories, bundle }, exclusions),
    );
    // A bid that pacing has lowered is raised to no floor, and not to that of a video either (decision 29).
    const payable = creativesAt(priceMicros, creatives, offer, ratesToUsd);
    if (payable.length === 0 && creatives.length > 0) return;
    const ad = adFor({ creatives: payable, targeting }, offer, auctionId, (fitting) =>
      this.#deps.rotation.choose(campaign, fitting, auctionId),
    );
    if (ad === null) {
      // A test is no opportunity.
      if (!isTest) choice.missed.push({ ...base, reason: misfitOf({ suitable, creatives }) });
      return;
    }
    const held = isTest ? null : this.#hold(entry, priceMicros, request);
    if (typeof held === "string") choice.missed.push({ ...base, reason: held });
    else {
      entry.lastChosen = ++this.#chosen;
      choice.ads.push({ ...base, ...ad, held });
    }
  }

  /** Holds a place below the caps and the price of an impression, or says which gate refuses. */
  #hold(entry: IndexedCampaign, priceMicros: number, request: CampaignRequest): ChosenAd["held"] | GateReason {
    const { caps, pacer, budgets } = this.#deps;
    const { campaign } = entry;
    const { at, device, auctionId } = request;
    const expiresAtMs = at + LONGEST_HOLD_MS;
    const place = caps.reserve(campaign.id, campaign.caps, device, at, expiresAtMs);
    if (place === null) return "frequency_cap";
    const plan = pacer.planOf(campaign.id, at);
    const isDrawn = plan.share >= 1 || seededHash(auctionId, campaign.participantId) < plan.share * 2 ** 32;
    if (!isDrawn && plan.tries === 0) {
      caps.release(place);
      // Without money there is nothing to spread over the day.
      return plan.lack ?? "paced";
    }
    const money = budgets.hold(campaign.id, impressionMicros(priceMicros), expiresAtMs);
    if (typeof money !== "string") {
      if (!isDrawn) plan.tries--;
      return { money, place };
    }
    caps.release(place);
    // A lease comes within milliseconds; the rest needs an edit, a refill or another day.
    if (money !== "lease_pending") {
      entry.restUntilMs = at + REST_MS;
      entry.restReason = money;
    }
    return money;
  }
}

/** Why a campaign has no ad for a place: from which of its creatives on none is left. */
const misfitOf = ({ suitable, creatives }: Record<"suitable" | "creatives", readonly LiveCreative[]>): GateReason =>
  suitable.length === 0 ? "not_for_children" : creatives.length === 0 ? "blocked" : "creative_misfit";

const isRefused = ({ held }: ChosenAd, refused: ReadonlySet<CapHold>): boolean =>
  held !== null && refused.has(held.place);

/** By price, then the one that was chosen last: the others had to wait. */
const goesAfter = (one: IndexedCampaign, price: number, other: IndexedCampaign, otherPrice: number): boolean =>
  price < otherPrice || (price === otherPrice && one.lastChosen > other.lastChosen);

/** The formats of campaigns that a place takes. */
const formatsFor = ({ format, imp }: Offer): CampaignFormat[] =>
  CAMPAIGN_FORMATS.filter(
    (own) => SOLD_AS[own].includes(format) && SOLD_MEDIA[own].some((medium) => imp[medium] !== undefined),
  );
