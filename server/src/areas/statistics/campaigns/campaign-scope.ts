import { z } from "zod";
import { type Scope, ScopeParams, PartDayParams, bindScope } from "../scope.ts";

/** Campaigns, days and filters of a question; an empty filter matches everything. Formats are the exchange's. */
export interface CampaignScope extends Omit<Scope, "appIds" | "providers"> {
  campaignIds: readonly number[];
}

const WITHOUT_APPS = { appIds: true, providers: true } as const;
const CampaignIds = { campaignIds: z.array(z.int()) };
export const CampaignParams = ScopeParams.omit(WITHOUT_APPS).extend(CampaignIds);
export const PartDayCampaignParams = PartDayParams.omit(WITHOUT_APPS).extend(CampaignIds);

/** A condition of SQL. */
export const OF_CAMPAIGNS = "campaign_id IN {campaignIds:Array(UInt32)}";

/** The scope's parameters, those of the part of its last day among them if it is cut. */
export function bindCampaigns(scope: CampaignScope): z.output<typeof CampaignParams> {
  const { appIds: _apps, providers: _providers, ...params } = bindScope({ ...scope, appIds: [], providers: [] });
  return { ...params, campaignIds: [...scope.campaignIds] };
}
