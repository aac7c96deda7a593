import {
  APPS_PER_PAGE,
  BANNER_SIZES,
  type CampaignRow,
  OS_VERSIONS,
  type Query,
  type Reply,
  type campaignRegions as regionsCall,
  countryOfRegion,
  type getCampaign as getCall,
  type listCampaigns as listCall,
} from "@millrace/contract";
import { grouped } from "../../platform/grouped.ts";
import { revisionOf } from "../../platform/http/revision.ts";
import { pageOf } from "../../platform/page-of.ts";
import { type BudgetState, stateOf } from "../budgets/index.ts";
import { countryName } from "../statistics/index.ts";
import { campaignStatus } from "./campaign-status.ts";
import {
  type Campaign,
  campaignsById,
  findCampaignIds,
  namedCampaigns,
  ownCampaign,
  switchOf,
} from "./campaign-store.ts";
import { type Creative, creativeStatus, creativesOf } from "./creative-store.ts";
import type { CampaignsDeps, Figures } from "./deps.ts";

const NO_FIGURES: Figures = { impressions: 0, clicks: 0, conversions: 0, costs: 0 };

type BudgetStates = ReadonlyMap<number, BudgetState>;
const NOTHING_SPENT = { totalMicros: 0, isBudgetSpent: false, isDailyBudgetSpent: false, isBalanceSpent: false };

/** A page of the account's campaigns, the totals of all found ones, and what deleted ones cost beside them. */
export async function listCampaigns(
  deps: CampaignsDeps,
  accountId: number,
  { search, p, ds, de }: Query<typeof listCall>,
): Promise<Reply<typeof listCall>> {
  const found = await findCampaignIds(deps.pool, accountId, search);
  const { page: ids, pager } = pageOf(found, p, APPS_PER_PAGE);
  const [page, figures, creatives, budgets, deletedCosts] = await Promise.all([
    campaignsById(deps.pool, accountId, ids),
    deps.figuresOf(found, { ds, de }),
    creativesOf(deps.pool, ids),
    budgetsOf(deps, ids),
    search === "" ? costsOfDeleted(deps, accountId, { ds, de }) : 0,
  ]);
  const creativesById = grouped(creatives, ({ campaignId }) => campaignId);
  const campaigns = page.map((campaign) => ({
    ...rowOf(deps, campaign, creativesById.get(campaign.id) ?? [], budgets),
    ...(figures.get(campaign.id) ?? NO_FIGURES),
  }));
  const deleted = deletedCosts > 0 ? { deleted_costs: deletedCosts } : {};
  return { campaigns, totals: totalOf([...figures.values()]), ...deleted, pager, ...choicesOf(deps) };
}

async function costsOfDeleted(deps: CampaignsDeps, accountId: number, days: { ds: string; de: string }) {
  const deleted = (await namedCampaigns(deps.pool, accountId)).filter(({ isDeleted }) => isDeleted);
  if (deleted.length === 0) return 0;
  const figures = await deps.figuresOf(
    deleted.map(({ id }) => id),
    days,
  );
  return totalOf([...figures.values()]).costs;
}

/** A campaign as its form shows it. Problem `not_found`. */
export async function getCampaign(
  deps: CampaignsDeps,
  accountId: number,
  uuid: string,
): Promise<Reply<typeof getCall>> {
  const campaign = await ownCampaign(deps.pool, accountId, uuid);
  const [creatives, budgets] = await Promise.all([
    creativesOf(deps.pool, [campaign.id]),
    budgetsOf(deps, [campaign.id]),
  ]);
  const status = statusOf(deps, campaign, creatives, budgets);
  return {
    revision: revisionOf(editedOf(campaign, creatives)),
    campaign: {
      ...campaign.fields,
      uuid: campaign.uuid,
      image_url: campaign.logoUrl,
      status: switchOf(campaign),
      ...status,
      creatives: creatives.map(({ uuid: c_id, fields, moderation, reason, image }) => ({
        c_id,
        ...fields,
        status: creativeStatus(moderation, status.campaign_status),
        reason,
        image,
      })),
    },
    ...choicesOf(deps),
  };
}

/** What the form of a campaign edits: neither what moderators decide nor whether it is frozen. */
export const editedOf = ({ fields }: Pick<Campaign, "fields">, creatives: readonly Creative[]) => [
  fields,
  creatives.map(({ uuid, fields }) => [uuid, fields]),
];

function rowOf(
  deps: CampaignsDeps,
  campaign: Campaign,
  creatives: readonly Creative[],
  budgets: BudgetStates,
): Omit<CampaignRow, keyof Figures> {
  const { name, app_platform, bundle_id, store_id, campaign_format, budget, bid } = campaign.fields;
  const status = statusOf(deps, campaign, creatives, budgets);
  return {
    uuid: campaign.uuid,
    name,
    app_platform,
    bundle_id,
    store_id,
    image_url: campaign.logoUrl,
    campaign_format,
    status: switchOf(campaign),
    ...status,
    creatives: creatives.length,
    creative_status: creatives.map(({ fields, moderation }) => ({
      store_id: fields.store_id,
      format: fields.format,
      status: creativeStatus(moderation, status.campaign_status),
    })),
    budget,
    daily: bid.daily,
  };
}

/** What campaigns do now, and why, by id. */
export async function statusesOf(
  deps: CampaignsDeps,
  campaigns: readonly Campaign[],
  creatives: readonly Creative[],
): Promise<Map<number, ReturnType<typeof campaignStatus>>> {
  const budgets = await budgetsOf(
    deps,
    campaigns.map(({ id }) => id),
  );
  const creativesById = grouped(creatives, ({ campaignId }) => campaignId);
  return new Map(
    campaigns.map((campaign) => [campaign.id, statusOf(deps, campaign, creativesById.get(campaign.id) ?? [], budgets)]),
  );
}

const budgetsOf = ({ pool, clock }: CampaignsDeps, ids: readonly number[]): Promise<BudgetStates> =>
  stateOf(pool, ids, new Date(clock.now()));

const statusOf = (
  { clock }: CampaignsDeps,
  campaign: Campaign,
  creatives: readonly Creative[],
  budgets: BudgetStates,
) =>
  campaignStatus(
    {
      ...campaign,
      spent: budgets.get(campaign.id) ?? NOTHING_SPENT,
      moderation: creatives.map(({ moderation }) => moderation),
    },
    clock.now(),
  );

const totalOf = (figures: readonly Figures[]): Figures =>
  figures.reduce(
    (sum, { impressions, clicks, conversions, costs }) => ({
      impressions: sum.impressions + impressions,
      clicks: sum.clicks + clicks,
      conversions: sum.conversions + conversions,
      costs: sum.costs + costs,
    }),
    NO_FIGURES,
  );

const choicesOf = (deps: CampaignsDeps) => ({
  ...targetingChoices(deps),
  banners: BANNER_SIZES.map((size) => ({ ...size })),
});

/** What the selectors of countries and versions offer; countries in the order of their names. */
export const targetingChoices = ({ countryCodes }: Pick<CampaignsDeps, "countryCodes">) => ({
  countries: Object.fromEntries(
    countryCodes.map((code) => [code, countryName(code)] as const).toSorted(([, a], [, b]) => a.localeCompare(b, "en")),
  ),
  versions: { ios: [...OS_VERSIONS.ios], android: [...OS_VERSIONS.android] },
});

/** The regions of some countries in the order of their names. */
export const listRegions = (
  { regions }: Pick<CampaignsDeps, "regions">,
  { country }: Query<typeof regionsCall>,
): Reply<typeof regionsCall> => {
  const countries = new Set(country.split(","));
  const found = [...regions].filter(([code]) => countries.has(countryOfRegion(code)));
  return { regions: Object.fromEntries(found.toSorted(([, a], [, b]) => a.localeCompare(b, "en"))) };
};
