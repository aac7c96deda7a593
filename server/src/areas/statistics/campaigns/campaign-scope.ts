import type { CampaignFormat } from "@millrace/contract";
import { z } from "zod";
import { type Scope, ScopeParams, PartDayParams, bindScope } from "../scope.ts";

/** Campaigns, days and filters of a question; an empty filter matches everything. */
export interface CampaignScope extends Omit<Scope, "appIds" | "providers" | "formats"> {
  campaignIds: readonly number[];
  /** The campaigns' own formats, parallel to their ids. A format is sold as several of the exchange's. */
  campaignFormats: readonly CampaignFormat[];
}

const WITHOUT_APPS = { appIds: true, providers: true, formats: true } as const;
const CampaignIds = { campaignIds: z.array(z.int()), campaignFormats: z.array(z.string()) };
export const CampaignParams = ScopeParams.omit(WITHOUT_APPS).extend(CampaignIds);
export const PartDayCampaignParams = PartDayParams.omit(WITHOUT_APPS).extend(CampaignIds);

/** A condition of SQL. */
export const OF_CAMPAIGNS = "campaign_id IN {campaignIds:Array(UInt32)}";

/** The scope's parameters, those of the part of its last day among them if it is cut. */
export function bindCampaigns(scope: CampaignScope): z.output<typeof CampaignParams> {
  const all = bindScope({ ...scope, appIds: [], providers: [], formats: [] });
  const { appIds: _apps, providers: _providers, formats: _formats, ...params } = all;
  return { ...params, campaignIds: [...scope.campaignIds], campaignFormats: [...scope.campaignFormats] };
}
