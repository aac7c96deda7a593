import { type Body, MOST_INHOUSE, type Reply, TEXTS, type addInhouse as call } from "@millrace/contract";
import type { PoolClient } from "pg";
import { fileOfPath } from "../../../platform/files/serve-stored-files.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { refuseOtherContent, uuidOfKey } from "../../../platform/http/once-by-key.ts";
import { refuseStale } from "../../../platform/http/revision.ts";
import type { Throttle } from "../../../platform/http/throttle.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { changeOf } from "../campaign-change.ts";
import { lockAccount } from "../campaign-store.ts";
import { fileOf } from "../creative-store.ts";
import type { CampaignsDeps } from "../deps.ts";
import { claimUploads } from "../upload-store.ts";
import * as store from "./inhouse-store.ts";
import { editedOf } from "./read-inhouse.ts";

type Fields = Body<typeof call>;
type Saved = Reply<typeof call>;
type Deps = Pick<CampaignsDeps, "pool" | "clock" | "countryCodes">;
type SaveDeps = Deps & { saves: Throttle };

/**
 * Adds an in-house campaign, or finds it as an earlier call with the same key has added it. Problem `invalid` names each wrong
 * field, `conflict` the account's limit or a key with which something else was added, `too_many` saves.
 */
export async function addInhouse(
  deps: SaveDeps,
  by: By,
  { key, body }: { key?: string | undefined; body: Fields },
): Promise<Saved> {
  const { accountId } = by.caller;
  await deps.saves.take(accountId);
  return inTransaction(deps.pool, async (client) => {
    await lockAccount(client, accountId);
    const draft = await draftOf(deps, client, accountId, body);
    const keyUuid = uuidOfKey(accountId, "in-house campaign", key);
    if (keyUuid !== undefined && (await store.isKnown(client, keyUuid))) {
      const added = await store.lockInhouse(client, accountId, keyUuid);
      refuseOtherContent("cross promotion", Object.keys(changeFrom(added, draft, body)).length === 0);
      return savedOf(keyUuid);
    }
    if ((await store.countInhouse(client, accountId)) >= MOST_INHOUSE)
      throw new Problem("conflict", `An account can have at most ${MOST_INHOUSE} in-house campaigns`);
    const at = new Date(deps.clock.now());
    const { uuid } = await store.insertInhouse(client, accountId, { uuid: keyUuid, ...draft, at });
    await record(deps, client, by, "inhouse_added", uuid, changeOf(null, detailsOf(body)));
    return savedOf(uuid);
  });
}

/**
 * Changes an in-house campaign. Problems as when adding, `not_found` for another account's campaign, and `conflict` if it is no
 * longer at the revision.
 */
export async function editInhouse(
  deps: SaveDeps,
  by: By,
  { uuid, revision, body }: { uuid: string; revision?: string | undefined; body: Fields },
): Promise<Saved> {
  const { accountId } = by.caller;
  await deps.saves.take(accountId);
  return inTransaction(deps.pool, async (client) => {
    await lockAccount(client, accountId);
    const before = await store.lockInhouse(client, accountId, uuid);
    const draft = await draftOf(deps, client, accountId, body);
    const details = changeFrom(before, draft, body);
    const isAsSent = Object.keys(details).length === 0;
    refuseStale(revision, editedOf(before), isAsSent);
    await store.updateInhouse(client, before, { ...draft, at: new Date(deps.clock.now()) });
    if (!isAsSent) await record(deps, client, by, "inhouse_edited", before.uuid, details);
    return savedOf(before.uuid);
  });
}

/** Starts, freezes or deletes an in-house campaign. Problem `not_found`. */
export async function setInhouseStatus(
  deps: Pick<CampaignsDeps, "pool" | "clock">,
  by: By,
  { uuid, status }: { uuid: string; status: "active" | "frozen" | "delete" },
): Promise<void> {
  await inTransaction(deps.pool, async (client) => {
    const campaign = await store.lockInhouse(client, by.caller.accountId, uuid);
    if (status === "delete") {
      await store.deleteInhouse(client, campaign, new Date(deps.clock.now()));
      return record(deps, client, by, "inhouse_deleted", campaign.uuid);
    }
    const frozen = status === "frozen";
    if (campaign.frozen === frozen) return;
    await store.setFrozen(client, campaign, frozen);
    await record(deps, client, by, "inhouse_status_set", campaign.uuid, { status });
  });
}

const savedOf = (uuid: string): Saved => ({ uuid, redirect_to: "/inhouse" });

const record = (
  { clock }: Pick<Deps, "clock">,
  client: PoolClient,
  by: By,
  action: string,
  subject: string,
  details: Record<string, unknown> = {},
) => recordAct({ pool: client, clock }, by, { action, subject, details });

/** What is written of the body. Problem `invalid` for apps, images and countries that the account does not have. */
async function draftOf(
  { clock, countryCodes }: Deps,
  client: PoolClient,
  accountId: number,
  body: Fields,
): Promise<store.InhouseDraft> {
  const { ad_app_id, app_id, image_l, image_p, video, ...fields } = body;
  const apps = new Map((await store.appsOf(client, accountId)).map(({ uuid, id }) => [uuid, id]));
  const files = [image_l, image_p, video].filter((address) => address !== "").map(fileOfPath);
  const uploads = await claimUploads(client, accountId, files, new Date(clock.now()));
  const byAddress = new Map([...uploads.values()].map((upload) => [fileOf(upload).url, upload]));
  const adAppId = apps.get(ad_app_id.toLowerCase());
  const appIds = app_id.flatMap((uuid) => apps.get(uuid) ?? []);
  const unknown = body.country.filter((code) => !countryCodes.includes(code));
  const faults: Record<string, string> = {};
  // Another account's app or file is as good as none.
  if (adAppId === undefined) faults["ad_app_id"] = "Choose one of your apps";
  if (appIds.length < app_id.length) faults["app_id"] = "Choose your apps only";
  if (unknown.length > 0) faults["country"] = `There is no country ${unknown.slice(0, 5).join(", ")}`;
  if (!countryCodes.includes(body.store_country)) faults["store_country"] = TEXTS.required;
  for (const [field, address] of Object.entries({ image_l, image_p, video }))
    if (address !== "") {
      const upload = byAddress.get(address);
      if (!upload) faults[field] = "Upload the file again";
      else if ((upload.video === null) === (field === "video"))
        faults[field] = field === "video" ? "Use a video here" : "Use an image here";
    }
  if (adAppId === undefined || Object.keys(faults).length > 0) throw new Problem("invalid", faults);
  const idOf = (address: string) => byAddress.get(address)?.id ?? null;
  const fileIds = { landscape: idOf(image_l), portrait: idOf(image_p), video: idOf(video) };
  return { fields, adAppId, appIds, fileIds };
}

/** What a save changes, for the audit log; empty if nothing. */
const changeFrom = (before: store.Inhouse, draft: store.InhouseDraft, body: Fields): Record<string, unknown> => ({
  ...changeOf(detailsOf(before.fields), detailsOf(body)),
  ...(draft.adAppId !== before.adAppId && { ad_app_id: body.ad_app_id }),
  ...(String(draft.appIds) !== String(before.appIds) && { app_id: body.app_id }),
  ...(JSON.stringify(store.fileIdsOf(before.files)) !== JSON.stringify(draft.fileIds) && { files_changed: true }),
});

/** What the audit log keeps: ids and settings, no words that may be of persons. */
function detailsOf({ title: name, desc, ...fields }: store.PlainFields & Partial<Fields>) {
  const { price, geo_type, country, ios, android, format, target_url, store_id, store_country } = fields;
  const { video_orientation, skip_timer, interstitial_waterfall } = fields;
  const words = { name: `${name}\n${desc}` };
  const settings = { price, geo_type, country, ios, android, format, target_url, store_id, store_country };
  return { ...words, ...settings, video_orientation, skip_timer, interstitial_waterfall };
}
