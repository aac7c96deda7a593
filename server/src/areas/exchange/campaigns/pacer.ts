import type { GateReason } from "@millrace/auction";
import { impressionMicros } from "@millrace/units";
import type { Budgets } from "../../budgets/index.ts";
import type { Forecast, Market } from "./forecast.ts";
import { nextPace, type Pace, type PacedCampaign } from "./pace.ts";
import type { Plan } from "./shade-bid.ts";

/** What pacing needs to know of a campaign. An edited campaign is another object. */
export interface PacerCampaign extends PacedCampaign {
  id: number;
  demo: boolean;
  media: Market["media"];
  targeting: PacedCampaign["targeting"] & Market["targeting"];
}

export interface PacerDeps {
  forecast: Pick<Forecast, "of">;
  /** What a campaign has spent, in all processes; undefined until that is known. */
  spentOf: Budgets["spentOf"];
}

type Spent = NonNullable<ReturnType<Budgets["spentOf"]>>;

interface CampaignPlan extends Plan {
  /** What is spent, so that nothing is left to spread: the reason for auctions that the campaign takes no part in. */
  lack?: GateReason;
  /** Auctions that it takes part in whatever its share. Whoever uses one up counts it here. */
  tries: number;
}

/** A plan holds this long. */
const STEP_MS = 10_000;
const NO_PART: CampaignPlan = { bidMicros: 0, share: 0, tries: 0 };

interface Paced {
  campaign: PacerCampaign;
  pace: Pace | null;
  plan: CampaignPlan;
  /** Whether the pace was planned from what is spent, and not before that was known. */
  isFromSpent: boolean;
  isEdited: boolean;
}

/** Spreads what each campaign may spend over its hours and days, as the traffic comes. Every process has its own. */
export class Pacer {
  readonly #deps: PacerDeps;
  readonly #campaigns = new Map<number, Paced>();

  constructor(deps: PacerDeps) {
    this.#deps = deps;
  }

  /** Adds a campaign, or plans anew for an edited one. */
  set(campaign: PacerCampaign): void {
    const known = this.#campaigns.get(campaign.id);
    const isKept = known && marketOf(known.campaign) === marketOf(campaign);
    const kept = isKept ? known : { pace: null, plan: NO_PART, isFromSpent: false };
    this.#campaigns.set(campaign.id, { ...kept, campaign, isEdited: true });
  }

  remove(campaignId: number): void {
    this.#campaigns.delete(campaignId);
  }

  /**
   * How a campaign bids at a moment. The caller draws the share from the auction's seed, so that a replay draws the same. A
   * campaign that is not known takes no part.
   */
  planOf(campaignId: number, atMs: number): CampaignPlan {
    const paced = this.#campaigns.get(campaignId);
    if (!paced) return NO_PART;
    const { campaign, pace, isFromSpent, isEdited } = paced;
    if (pace && !isEdited && Math.abs(atMs - pace.atMs) < STEP_MS) return paced.plan;
    const spent = this.#deps.spentOf(campaignId);
    const seen = { todayMicros: 0, totalMicros: 0, ...spent, atMs };
    paced.pace = nextPace(campaign, this.#deps.forecast.of(campaign), isFromSpent ? pace : null, seen);
    const lack = spent && lackOf(campaign, spent);
    const { plan, tries } = paced.pace;
    paced.plan = { ...plan, tries, ...(lack !== undefined && { lack }) };
    paced.isFromSpent = spent !== undefined;
    paced.isEdited = false;
    return paced.plan;
  }
}

/** What leaves less than an impression at the campaign's bid, as its status tells. */
function lackOf(
  { bidMicros, budgetMicros, dailyMicros }: PacerCampaign,
  { todayMicros, totalMicros, isBalanceSpent }: Spent,
): GateReason | undefined {
  const price = impressionMicros(bidMicros);
  if (budgetMicros > 0 && budgetMicros - totalMicros < price) return "budget_spent";
  if (dailyMicros - todayMicros < price) return "daily_budget_spent";
  return isBalanceSpent === true ? "balance_spent" : undefined;
}

const marketOf = ({ demo, targeting: { format, geo, countries, platforms } }: PacerCampaign): string =>
  JSON.stringify([demo, format, geo, countries, platforms]);
