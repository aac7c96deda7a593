import type { AskStore } from "../ask-store.ts";
import type { GraphNumbers } from "../graph.ts";
import { NO_SUMS } from "../metrics.ts";
import type { ComparedPeriod } from "../numbers.ts";
import { isCut, partOfDay } from "../scope.ts";
import type { Sums } from "../sums.stat.ts";
import { type CampaignScope, bindCampaigns } from "./campaign-scope.ts";
import { type CampaignGroup, type CampaignSumsRow, campaignSums, campaignSumsUntil } from "./campaign-sums.stat.ts";

/** Sums whose money is what the campaigns cost. */
export interface CampaignSums extends Sums {
  /** After a click; those after an impression without a click are apart. */
  conversions: number;
  viewConversions: number;
}
export const NO_CAMPAIGN_SUMS: CampaignSums = { ...NO_SUMS, conversions: 0, viewConversions: 0 };

/** The numbers of one scope. The money of their sums is what the campaigns cost. Parts of a page share one query. */
export interface CampaignNumbers extends GraphNumbers {
  sums(group: CampaignGroup): Promise<ReadonlyMap<string, CampaignSums>>;
  compared: (NonNullable<GraphNumbers["compared"]> & Pick<CampaignNumbers, "sums">) | null;
}

export function campaignNumbers(
  ask: AskStore,
  scope: CampaignScope,
  comparison: ComparedPeriod | null = null,
): CampaignNumbers {
  return { ...sumsOf(ask, scope), compared: comparison && comparedNumbers(ask, scope, comparison) };
}

function comparedNumbers(ask: AskStore, scope: CampaignScope, comparison: ComparedPeriod): CampaignNumbers["compared"] {
  const { range, untilMs } = comparison;
  const whole = sumsOf(ask, { ...scope, range });
  if (untilMs === null) return { ...whole, whole, comparison, sumsSince: async () => NO_SUMS };
  const cut = { ...scope, range, untilMs };
  return {
    ...sumsOf(ask, cut),
    whole,
    comparison,
    async sumsSince(momentMs) {
      if (momentMs >= untilMs || scope.campaignIds.length === 0) return NO_SUMS;
      const params = { ...bindCampaigns(cut), ...NO_WHOLE_DAYS, ...partOfDay(cut, momentMs) };
      const [row] = await ask(campaignSumsUntil.total, params);
      return row ? asSums(row) : NO_SUMS;
    },
  };
}

const NO_WHOLE_DAYS = { ds: "1970-01-02", de: "1970-01-01" };

function sumsOf(ask: AskStore, scope: CampaignScope): Omit<CampaignNumbers, "compared"> {
  const answers = new Map<CampaignGroup, Promise<ReadonlyMap<string, CampaignSums>>>();
  const read = async (group: CampaignGroup) => {
    if (scope.campaignIds.length === 0) return new Map<string, CampaignSums>();
    const params = bindCampaigns(scope);
    const rows = isCut(scope)
      ? await ask(campaignSumsUntil[group], { ...params, ...partOfDay(scope) })
      : await ask(campaignSums[group], params);
    return new Map(rows.map((row) => [row.id, asSums(row)]));
  };
  return {
    scope: { ...scope, providers: [], formats: [] },
    uniques: async () => new Map(),
    sums(group) {
      const answer = answers.get(group) ?? read(group);
      answers.set(group, answer);
      return answer;
    },
  };
}

const asSums = ({ costMicros, ...row }: CampaignSumsRow): CampaignSums => ({
  ...NO_SUMS,
  ...row,
  revenueMicros: costMicros,
});
