import {
  CAMPAIGN_FORMAT_LABELS,
  type CampaignCosts,
  type CampaignFormat,
  type CampaignFunc,
  type CampaignPage,
  type CampaignParts,
  EARLIEST_DATE,
} from "@millrace/contract";
import { addDays, dayOf } from "@millrace/units";
import type { z } from "zod";
import { countryName } from "../../statistics/index.ts";
import { labelOf } from "../campaign-store.ts";
import type { CampaignSelection } from "./select-campaigns.ts";
import { campaignTable } from "./campaign-table.ts";

/** The parts named by func, each under its name, computed concurrently. */
export async function campaignParts(
  selection: CampaignSelection,
  funcs: readonly CampaignFunc[],
): Promise<Partial<CampaignParts>> {
  const parts = partsOf(selection);
  const named = [...new Set(funcs)].map(async (func) => [func, await parts[func]()] as const);
  return Object.fromEntries(await Promise.all(named));
}

/** All data of the page, under the page's names. */
export async function campaignPage(selection: CampaignSelection): Promise<z.input<typeof CampaignPage>> {
  const parts = partsOf(selection);
  const [stat_summary, requests_summary, campaign_costs, formats_costs, country_costs, stat_table, choices] =
    await Promise.all([
      parts.totals(),
      parts.graph_data(),
      parts.top_campaign_by_costs(),
      parts.top_formats_by_costs(),
      parts.top_countries_costs(),
      parts.stats(),
      parts.choices(),
    ]);
  return {
    stat_summary,
    requests_summary,
    campaign_costs,
    formats_costs,
    country_costs,
    stat_table,
    ...choices,
  };
}

const partsOf = (selection: CampaignSelection) =>
  ({
    totals: () => selection.statistics.totals(),
    graph_data: () => selection.statistics.graph(),
    top_campaign_by_costs: () => topCampaigns(selection),
    top_formats_by_costs: () => topFormats(selection),
    top_countries_costs: () => selection.statistics.topCountries(),
    stats: () => campaignTable(selection),
    choices: () => choicesOf(selection),
  }) satisfies { [F in CampaignFunc]: () => Promise<CampaignParts[F]> };

async function topCampaigns({ chosen, statistics }: CampaignSelection): Promise<CampaignCosts[]> {
  const byId = new Map(chosen.map((campaign) => [String(campaign.id), campaign]));
  return (await statistics.costsBy("campaign")).flatMap(({ id, ...costs }) => {
    const campaign = byId.get(id);
    if (!campaign) return [];
    const { uuid, name, logoUrl: image_url, isDeleted: deleted } = campaign;
    return [{ uuid, name, image_url, deleted, ...costs }];
  });
}

async function topFormats({ statistics }: CampaignSelection): Promise<CampaignParts["top_formats_by_costs"]> {
  return (await statistics.costsBy("format")).map(({ id, ...costs }) => {
    const format = id as CampaignFormat;
    return { format, name: CAMPAIGN_FORMAT_LABELS[format], ...costs };
  });
}

async function choicesOf({ deps, campaigns }: CampaignSelection): Promise<CampaignParts["choices"]> {
  const { firstDay, countries } = await deps.statistics.campaigns.seen(campaigns.map(({ id }) => id));
  const today = dayOf(deps.clock.now());
  return {
    dates: { ds: addDays(today, -1), de: today, min: EARLIEST_DATE, max: today },
    campaigns: Object.fromEntries(campaigns.map((campaign) => [campaign.uuid, labelOf(campaign)])),
    formats: CAMPAIGN_FORMAT_LABELS,
    countries: Object.fromEntries(countries.map((code) => [code, countryName(code)])),
    first_day: firstDay,
  };
}
