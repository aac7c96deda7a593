import {
  APPS_PER_PAGE,
  type Query,
  type Reply,
  type getInhouse as getCall,
  type listInhouse as listCall,
} from "@millrace/contract";
import { revisionOf } from "../../../platform/http/revision.ts";
import { pageOf } from "../../../platform/page-of.ts";
import { fileOf } from "../creative-store.ts";
import type { CampaignsDeps } from "../deps.ts";
import { targetingChoices } from "../read-campaigns.ts";
import { inhouseStatus } from "./inhouse-status.ts";
import {
  type Inhouse,
  type OwnApp,
  appsOf,
  fileIdsOf,
  listInhouse as findInhouse,
  ownInhouse,
} from "./inhouse-store.ts";

const NO_FIGURES = { impressions: 0, clicks: 0, installs: 0 };

/** A page of the account's in-house campaigns, and the totals of all found ones. */
export async function listInhouse(
  deps: CampaignsDeps,
  accountId: number,
  { search, p, ds, de }: Query<typeof listCall>,
): Promise<Reply<typeof listCall>> {
  const [found, apps] = await Promise.all([findInhouse(deps.pool, accountId, search), appsOf(deps.pool, accountId)]);
  const { page, pager } = pageOf(found, p, APPS_PER_PAGE);
  const ids = found.map(({ id }) => id);
  const figures = new Map(
    [...(await deps.figuresOf(ids, { ds, de }))].map(([id, { impressions, clicks, conversions }]) => [
      id,
      { impressions, clicks, installs: conversions },
    ]),
  );
  const campaigns = page.map((campaign) => ({
    ...rowOf(campaign, apps),
    ...(figures.get(campaign.id) ?? NO_FIGURES),
  }));
  const totals = { ...NO_FIGURES };
  for (const { impressions, clicks, installs } of figures.values()) {
    totals.impressions += impressions;
    totals.clicks += clicks;
    totals.installs += installs;
  }
  return { campaigns, totals, pager };
}

/** An in-house campaign as its form shows it. Problem `not_found`. */
export async function getInhouse(deps: CampaignsDeps, accountId: number, uuid: string): Promise<Reply<typeof getCall>> {
  const [campaign, apps] = await Promise.all([ownInhouse(deps.pool, accountId, uuid), appsOf(deps.pool, accountId)]);
  const { promoted, shownIn } = appsIn(campaign, apps);
  const { title, desc, price, geo_type, country, ios, android, ...creative } = campaign.fields;
  const { landscape, portrait, video } = campaign.files;
  return {
    ...choicesOf(deps, apps),
    revision: revisionOf(editedOf(campaign)),
    campaign: {
      uuid: campaign.uuid,
      title,
      desc,
      // A deleted app is chosen anew.
      ad_app_id: promoted?.uuid ?? "",
      app_id: shownIn.map((app) => app.uuid),
      price,
      geo_type,
      country,
      ios,
      android,
      ...statusOf(campaign, apps),
    },
    creatives: [
      {
        ...creative,
        image_l: landscape && fileOf(landscape),
        image_p: portrait && fileOf(portrait),
        video: video && fileOf(video),
      },
    ],
  };
}

/** What the form of an in-house campaign edits. */
export const editedOf = ({ fields, adAppId, appIds, files }: Inhouse) => [fields, adAppId, appIds, fileIdsOf(files)];

/** What the form of a new in-house campaign offers. */
export const inhouseChoices = async (deps: CampaignsDeps, accountId: number) =>
  choicesOf(deps, await appsOf(deps.pool, accountId));

const choicesOf = (deps: CampaignsDeps, apps: readonly OwnApp[]) => {
  const { countries, versions } = targetingChoices(deps);
  return { apps: apps.map(({ id: _id, moderation: _moderation, ...app }) => app), countries, versions };
};

function rowOf(campaign: Inhouse, apps: readonly OwnApp[]) {
  const { promoted, shownIn } = appsIn(campaign, apps);
  const { title, format, price } = campaign.fields;
  const { landscape, portrait } = campaign.files;
  const image = portrait ?? landscape;
  return {
    uuid: campaign.uuid,
    title,
    app: promoted,
    shown_in: shownIn.map(({ name }) => name),
    format,
    price,
    image_url: image && fileOf(image).url,
    ...statusOf(campaign, apps),
  };
}

const statusOf = (campaign: Inhouse, apps: readonly OwnApp[]) => ({
  status: campaign.frozen ? ("frozen" as const) : ("active" as const),
  ...inhouseStatus({ frozen: campaign.frozen, ...appsIn(campaign, apps) }),
});

const appsIn = ({ adAppId, appIds }: Inhouse, apps: readonly OwnApp[]) => ({
  promoted: apps.find(({ id }) => id === adAppId) ?? null,
  shownIn: apps.filter(({ id }) => appIds.includes(id)),
});
