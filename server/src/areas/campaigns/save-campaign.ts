import {
  type Body,
  CAMPAIGN_LIMITS,
  type CampaignFields,
  type Reply,
  TEXTS,
  type addCampaign as call,
  campaignFaults,
  countryOfRegion,
  endsTooLate,
  startsAfter,
} from "@millrace/contract";
import type { PoolClient } from "pg";
import { fileOfPath } from "../../platform/files/serve-stored-files.ts";
import { Problem } from "../../platform/http/problem.ts";
import { uuidOfKey } from "../../platform/http/once-by-key.ts";
import { refuseStale } from "../../platform/http/revision.ts";
import { type Throttle, throttle } from "../../platform/http/throttle.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import { campaignChange, creativeDiffers, isAsSent, sharedDiffers } from "./campaign-change.ts";
import { isAdded } from "./is-added.ts";
import * as store from "./campaign-store.ts";
import { creativeFaults } from "./creative-faults.ts";
import {
  type Creative,
  type CreativeDraft,
  creativesOf,
  deleteCreatives,
  fileOf,
  insertCreative,
  updateCreative,
} from "./creative-store.ts";
import type { CampaignsDeps } from "./deps.ts";
import { editedOf } from "./read-campaigns.ts";
import { type Upload, claimUploads } from "./upload-store.ts";

type CampaignBody = Body<typeof call>;
type Saved = Reply<typeof call>;
type Deps = Pick<CampaignsDeps, "pool" | "clock" | "demo" | "appLookup" | "countryCodes" | "regions"> & {
  saves: Throttle;
};

/** How often an account saves campaigns of any kind: each save may leave rows that are never deleted. */
export const saveThrottle = (): Throttle =>
  throttle({ tries: 300, windowSeconds: 3600 }, "Too many changes of campaigns. Please wait a while and try again");

/**
 * Adds a campaign with its creatives, or finds it as an earlier call with the same key has added it; with `startsNow`, it has
 * started whatever its body says. Problem `invalid` names each wrong field, `not_found` if a creative has an id, `conflict` at
 * the account's limit or if what is sent with a key has changed, `too_many` for an account that saves without end.
 */
export async function addCampaign(
  deps: Deps,
  by: By,
  { body: input, startsNow = false, key }: { body: CampaignBody; startsNow?: boolean; key?: string | undefined },
): Promise<Saved> {
  const { accountId } = by.caller;
  await deps.saves.take(accountId);
  const entered = fullBody(input, { region: [], creatives: [] });
  const body = startsNow ? startedAt(entered, deps.clock.now()) : entered;
  const logoUrl = await logoOf(deps, accountId, body);
  const keyUuid = uuidOfKey(accountId, "campaign", key);
  return inTransaction(deps.pool, async (client) => {
    const { isDemo } = await store.lockAccount(client, accountId);
    if (keyUuid !== undefined && (await isAdded(client, { accountId, uuid: keyUuid, body, startsNow })))
      return savedOf(keyUuid);
    // The schema has compared the end with the start of the body.
    const faults = startsNow ? campaignFaults(body) : {};
    if (!startsNow && !startsAfter(body, deps.clock.now())) faults["start_date"] = TEXTS.startInPast;
    if (endsTooLate(body, deps.clock.now())) faults["end_date"] = TEXTS.endTooFar;
    const { creatives, ...fields } = body;
    const uploads = await checked(deps, client, { accountId, body, faults });
    if ((await store.countCampaigns(client, accountId)) >= CAMPAIGN_LIMITS.campaigns)
      throw new Problem("conflict", `An account can have at most ${CAMPAIGN_LIMITS.campaigns} campaigns`);
    const at = new Date(deps.clock.now());
    const { id, uuid } = await store.insertCampaign(client, accountId, { uuid: keyUuid, fields, logoUrl, at });
    const changed = await saveCreatives(client, {
      id,
      before: [],
      sharedDiffers: false,
      creatives,
      uploads,
      at,
      isApproved: deps.demo && isDemo,
    });
    const { name: _, ...details } = fields;
    await recordAct({ pool: client, clock: deps.clock }, by, {
      action: "campaign_added",
      subject: uuid,
      details: { ...campaignChange(null, details), creatives: changed },
    });
    return savedOf(uuid);
  });
}

/**
 * Changes a campaign. Creatives that the body leaves out are deleted, and changed ones wait for a moderator again.
 * Problems as when adding, `not_found` for another account's campaign, and `conflict` if it is no longer at the revision.
 */
export async function editCampaign(
  deps: Deps,
  by: By,
  { uuid, revision, body: input }: { uuid: string; revision?: string | undefined; body: CampaignBody },
): Promise<Saved> {
  const { accountId } = by.caller;
  await deps.saves.take(accountId);
  const foundLogo = await logoOf(deps, accountId, input);
  return inTransaction(deps.pool, async (client) => {
    const { isDemo } = await store.lockAccount(client, accountId);
    const campaign = await store.lockCampaign(client, accountId, uuid);
    const before = await creativesOf(client, [campaign.id]);
    const body = fullBody(input, { region: campaign.fields.region, creatives: before });
    if (refuseStale(revision, editedOf(campaign, before), isAsSent({ ...campaign, creatives: before }, body)))
      return savedOf(campaign.uuid);
    const { creatives, ...fields } = body;
    const isNewEnd = fields.end_date !== campaign.fields.end_date;
    const faults: Record<string, string> =
      isNewEnd && endsTooLate(fields, deps.clock.now()) ? { end_date: TEXTS.endTooFar } : {};
    // Statistics by format give a campaign's past to the format that it has.
    if (fields.campaign_format !== campaign.fields.campaign_format) faults["campaign_format"] = TEXTS.formatStays;
    const uploads = await checked(deps, client, { accountId, body, faults });
    const at = new Date(deps.clock.now());
    const isSameApp =
      campaign.fields.store_id === fields.store_id && campaign.fields.app_platform === fields.app_platform;
    const logoUrl = foundLogo ?? (isSameApp ? campaign.logoUrl : null);
    await store.updateCampaign(client, campaign, { fields, logoUrl });
    const { id } = campaign;
    const changed = await saveCreatives(client, {
      id,
      before,
      sharedDiffers: sharedDiffers(campaign, { fields, logoUrl }),
      creatives,
      uploads,
      at,
      isApproved: deps.demo && isDemo,
    });
    const details = { ...campaignChange(campaign.fields, fields), ...(changed && { creatives: changed }) };
    if (Object.keys(details).length > 0)
      await recordAct({ pool: client, clock: deps.clock }, by, {
        action: "campaign_edited",
        subject: campaign.uuid,
        details,
      });
    return savedOf(campaign.uuid);
  });
}

/** With the minute of a moment as its start. */
function startedAt(body: CampaignFields, nowMs: number): CampaignFields {
  const now = new Date(nowMs).toISOString();
  return { ...body, start_date: now.slice(0, 10), start_time: now.slice(11, 16) };
}

const savedOf = (uuid: string): Saved => ({ uuid, redirect_to: "/campaign" });

/** Before the transaction: within it, a second connection could wait for the first one forever. */
const logoOf = (
  { appLookup }: Deps,
  accountId: number,
  { store_id, app_platform }: Pick<CampaignBody, "store_id" | "app_platform">,
) => appLookup.logoOf(accountId, { storeId: store_id, platform: app_platform });

/** The account's uploads that the creatives use, by address. Problem `invalid` with all faults together. */
async function checked(
  { clock, countryCodes, regions }: Deps,
  client: PoolClient,
  { accountId, body, faults }: { accountId: number; body: CampaignFields; faults: Record<string, string> },
): Promise<Map<string, Upload>> {
  const files = body.creatives.map(({ image_url }) => fileOfPath(image_url));
  const uploads = await claimUploads(client, accountId, files, new Date(clock.now()));
  const byAddress = new Map([...uploads.values()].map((upload) => [fileOf(upload).url, upload]));
  const unknown = body.country.filter((code) => !countryCodes.includes(code));
  const unknownRegions = body.region.filter((code) => !regions.has(code));
  const all = {
    ...faults,
    ...(unknownRegions.length > 0 && { region: `There is no region ${unknownRegions.slice(0, 5).join(", ")}` }),
    ...(unknown.length > 0 && { country: `There is no country ${unknown.slice(0, 5).join(", ")}` }),
    ...creativeFaults(body, byAddress, countryCodes),
  };
  if (Object.keys(all).length > 0) throw new Problem("invalid", all);
  return byAddress;
}

/** Writes the creatives that differ and deletes those left out. Returns what changed for the audit log; null if nothing. */
async function saveCreatives(
  client: PoolClient,
  save: {
    id: number;
    before: readonly Creative[];
    /** Then every creative leads or reports elsewhere, or shows another app, than a moderator saw. */
    sharedDiffers: boolean;
    creatives: CampaignFields["creatives"];
    uploads: ReadonlyMap<string, Upload>;
    at: Date;
    isApproved: boolean;
  },
) {
  const { id, before, creatives, uploads, at, isApproved } = save;
  const known = new Map(before.map((creative) => [creative.uuid, creative]));
  const edited: string[] = [];
  let added = 0;
  for (const { c_id, ...fields } of creatives) {
    const uploadId = uploads.get(fields.image_url)?.id ?? "";
    const draftOf = (moderation: "new" | "edited"): CreativeDraft => ({
      fields,
      uploadId,
      moderation: isApproved ? "approved" : moderation,
      at,
    });
    if (c_id === null) {
      added += 1;
      await insertCreative(client, id, draftOf("new"));
      continue;
    }
    const uuid = c_id.toLowerCase();
    const earlier = known.get(uuid);
    // Another campaign's creative, a deleted one, or one that is in the list twice.
    if (!earlier) throw new Problem("not_found", "There is no such creative");
    known.delete(uuid);
    if (!save.sharedDiffers && !creativeDiffers(earlier.fields, fields)) continue;
    edited.push(uuid);
    await updateCreative(client, earlier.id, draftOf("edited"));
  }
  const removed = [...known.values()];
  await deleteCreatives(
    client,
    removed.map((creative) => creative.id),
    at,
  );
  if (added === 0 && edited.length === 0 && removed.length === 0) return null;
  return { added, edited, removed: removed.map(({ uuid }) => uuid) };
}

/** What a campaign has before it is saved. */
interface Stored {
  region: readonly string[];
  creatives: readonly Pick<Creative, "uuid" | "fields">[];
}

/**
 * A body with what older clients leave out: the stored regions of the countries that it still has, and the stored store countries
 * of its creatives.
 */
function fullBody(body: CampaignBody, stored: Stored): CampaignFields {
  const countries = new Map(stored.creatives.map(({ uuid, fields }) => [uuid, fields.country]));
  return {
    ...body,
    region: body.region ?? stored.region.filter((code) => body.country.includes(countryOfRegion(code))),
    creatives: body.creatives.map((creative) => ({
      ...creative,
      country: creative.country ?? countries.get(creative.c_id?.toLowerCase() ?? "") ?? "",
    })),
  };
}
