import { isDeepStrictEqual } from "node:util";
import type { CampaignFields, CreativeFields } from "@millrace/contract";
import { listChange } from "../audit/index.ts";
import type { Creative } from "./creative-store.ts";
import type { Campaign as StoredCampaign, PlainFields } from "./campaign-store.ts";

/**
 * The changed fields of a campaign, for the audit log: with their new values, except for long lists and names. With null before,
 * everything is new.
 */
export const campaignChange = (before: PlainFields | null, after: Partial<PlainFields>): Record<string, unknown> =>
  changeOf(before, after);

/** The same of any fields with a name, countries and regions. */
export function changeOf<T extends { name: string; country: readonly string[]; region?: readonly string[] }>(
  before: T | null,
  after: Partial<T>,
): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const field of Object.keys(after) as (keyof T & string)[]) {
    // The keys of objects from PostgreSQL's jsonb come in another order.
    if (isDeepStrictEqual(before?.[field], after[field])) continue;
    // Names may be of persons, and the log keeps ids only.
    if (field === "name") changed["name_changed"] = true;
    else if (field === "country") changed["country"] = listChange(before?.country ?? [], after.country ?? []);
    else if (field === "region") changed["region"] = listChange(before?.region ?? [], after.region ?? []);
    else changed[field] = after[field];
  }
  return changed;
}

/** Whether a moderator would see something else than before: everything of a creative is moderated. */
export const creativeDiffers = (before: Omit<CreativeFields, "c_id">, after: Omit<CreativeFields, "c_id">): boolean =>
  (Object.keys(before) as (keyof typeof before)[]).some((field) => before[field] !== after[field]);

/** Whether a campaign is what a body makes of it; new creatives have no id in the body. */
export function isAsSent(
  campaign: Pick<StoredCampaign, "fields"> & { creatives: readonly Pick<Creative, "uuid" | "fields">[] },
  { creatives, end_time, ...rest }: CampaignFields,
): boolean {
  // Without an end, its time is not stored.
  const fields = { ...rest, ...(rest.end_date !== null && { end_time }) };
  return (
    Object.keys(campaignChange(campaign.fields, fields)).length === 0 &&
    campaign.creatives.length === creatives.length &&
    creatives.every(({ c_id, ...creative }, nth) => {
      const stored = campaign.creatives[nth];
      if (stored === undefined || creativeDiffers(stored.fields, creative)) return false;
      return c_id === null || c_id.toLowerCase() === stored.uuid;
    })
  );
}

type Campaign = Pick<StoredCampaign, "fields" | "logoUrl">;

/**
 * The same of what all creatives of a campaign have in common: the links in place of their own, and the app, with the picture
 * that native ads show as their icon. They are moderated with each creative.
 */
export const sharedDiffers = (before: Campaign, after: Campaign): boolean =>
  before.logoUrl !== after.logoUrl || SHARED.some((field) => before.fields[field] !== after.fields[field]);

const SHARED = ["click_link", "view_link", "store_id", "app_platform"] as const;
