import type { PoolClient } from "pg";
import type { Area } from "../../platform/area.ts";
import { deleteCampaignsOf, listCampaigns } from "./campaign-store.ts";
import { creativesOf } from "./creative-store.ts";
import type { CampaignsDeps } from "./deps.ts";
import { deleteInhouseOf, listInhouse } from "./inhouse/inhouse-store.ts";
import { campaignRoutes } from "./routes.ts";
import { sweepUploads } from "./sweep-uploads.ts";
import { uploadLimits } from "./upload-file.ts";

export { insertCampaign, listCampaigns, ownCampaign, setFrozen } from "./campaign-store.ts";
export { creativesOf, insertCreative } from "./creative-store.ts";
export { insertInhouse, ownInhouse } from "./inhouse/inhouse-store.ts";
export { countWaitingCreatives, decideCreative, decidedCreative, reviewedCreatives } from "./moderation.ts";
export { insertUpload, uploadColumns, type UploadRow } from "./upload-store.ts";

export interface Campaigns {
  /** The account's campaigns in words, for an export of personal data. */
  belongingsOf(accountId: number): Promise<Record<string, unknown>>;
  /** Takes all campaigns of a deleted account out of service. */
  closeAccount(client: PoolClient, accountId: number): Promise<void>;
}

/** The advertiser's campaigns and their creatives. */
export function campaignsArea(deps: CampaignsDeps): Area & Campaigns {
  sweepUploads(deps);
  return {
    name: "campaigns",
    routes: (app) => campaignRoutes(app, { ...deps, limits: uploadLimits() }),
    start: () => deps.files.clean(),
    async belongingsOf(accountId) {
      const campaigns = await listCampaigns(deps.pool, accountId, "");
      const creatives = await creativesOf(
        deps.pool,
        campaigns.map(({ id }) => id),
      );
      return {
        campaigns: campaigns.map(({ id, uuid, fields }) => ({
          uuid,
          ...fields,
          creatives: creatives
            .filter(({ campaignId }) => campaignId === id)
            .map((creative) => ({ uuid: creative.uuid, ...creative.fields })),
        })),
        inhouse: (await listInhouse(deps.pool, accountId, "")).map(({ uuid, fields }) => ({ uuid, ...fields })),
      };
    },
    async closeAccount(client, accountId) {
      await deleteCampaignsOf(client, accountId);
      await deleteInhouseOf(client, accountId);
    },
  };
}
