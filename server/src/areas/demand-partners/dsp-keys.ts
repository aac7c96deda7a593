import { isDeepStrictEqual } from "node:util";
import {
  ACCOUNT_LIMITS,
  type AppIdentity,
  type DspFormat,
  type KeyProperty,
  type Keys,
  NO_KEYS,
  type RtbExt,
  accountLimitText,
} from "@millrace/contract";
import { type Adapter, checkKeys, findAdapter } from "@millrace/partners";
import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { AppReach } from "../../platform/http/caller.ts";
import { Problem } from "../../platform/http/problem.ts";
import { lockAccount } from "../../platform/postgres/lock-account.ts";
import { refuseStale, revisionOf } from "../../platform/http/revision.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import type { Sealer } from "../../platform/sealed/sealer.ts";
import { type By, recordAct } from "../audit/index.ts";
import { formatsOf, isTestBidder } from "./app-partners.ts";
import { deletePartnerKeys, listKeysOf, listPartners, lockPartnerKeys, setPartnerKeys } from "./store.ts";

export interface DspKeysDeps {
  pool: Pool;
  clock: Clock;
  sealer: Sealer;
  /** An app within reach as every screen shows it, or undefined; the apps area knows it. */
  findApp(reach: AppReach, uuid: string): Promise<AppIdentity | undefined>;
}

/** The key forms of all active partners, and the app's keys. Problem `not_found` for another account's app. */
export async function dspKeysOf(deps: DspKeysDeps, reach: AppReach, uuid: string): Promise<RtbExt> {
  const app = await appOf(deps, reach, uuid);
  const [partners, rows] = await Promise.all([
    listPartners(deps.pool),
    listKeysOf(deps.pool, deps.sealer, reach.accountId, app.app_id),
  ]);
  const schemas: RtbExt["schemas"] = {};
  for (const partner of partners) {
    const adapter = findAdapter(partner.kind);
    const isUsed = rows.some(({ partner_id }) => partner_id === partner.id);
    // A partner that the operator has disabled stays listed while the app has keys for it.
    if (!adapter || !(partner.active || isUsed)) continue;
    schemas[partner.id] = {
      dsp_name: partner.name,
      keys_schema: keysSchemaOf(adapter),
      formats: formatsOf(partner),
      is_test: isTestBidder(partner),
    };
  }
  const keys: RtbExt["keys"] = {};
  const revisions: NonNullable<RtbExt["revisions"]> = {};
  for (const row of rows) {
    (keys[row.partner_id] ??= {})[row.format] = row.keys as Keys;
    (revisions[row.partner_id] ??= {})[row.format] = revisionOf(row.keys);
  }
  return { schemas, keys, revisions, app };
}

/** Identifies keys: an app's uuid, a partner and a format. */
interface Place {
  id: string;
  dsp: string;
  format: DspFormat;
}

/** The limit of one partner and format. With any change of an app, each exchange reads all its keys again between two auctions. */
const MOST_CHARACTERS = 16_384;

/**
 * Sets the app's keys at a partner for one format. Existing keys keep their switch; new ones take that of the other format, or are on. Problem
 * `invalid` with the key's name for keys that do not match the partner's schema, and `conflict` if the keys are no longer at
 * the revision.
 */
export async function saveDspKeys(
  deps: DspKeysDeps,
  by: By,
  { id, dsp, format, revision }: Place & { revision?: string | undefined },
  keys: Keys,
): Promise<RtbExt> {
  const { accountId } = by.caller;
  const app = await appOf(deps, by.caller, id);
  const partner = (await listPartners(deps.pool)).find((row) => row.id === dsp);
  const kind = partner && findAdapter(partner.kind);
  if (!partner || !kind) throw new Problem("not_found", "There is no such partner");
  if (!formatsOf(partner).includes(format)) {
    throw new Problem("unprocessable", `${partner.name} does not buy this format`);
  }
  if (JSON.stringify(keys).length > MOST_CHARACTERS)
    throw new Problem("invalid", {
      keys: `The keys can have at most ${MOST_CHARACTERS.toLocaleString("en-US")} characters`,
    });
  const fault = checkKeys(kind.keysSchema, keys);
  if (fault) throw new Problem("invalid", { [fault.key === "" ? "keys" : fault.key]: `This field ${fault.message}` });
  await inTransaction(deps.pool, async (client) => {
    // One writer at a time, so that no limit is passed.
    await lockAccount(client, accountId);
    const before = await lockPartnerKeys(client, deps.sealer, { appId: app.app_id, partnerId: dsp, format });
    const isAsSent = isDeepStrictEqual(before, keys);
    if (revision === NO_KEYS && before !== null) {
      if (isAsSent) return;
      throw new Problem("conflict", "This app has keys here already. Edit them in the list");
    }
    if (revision !== NO_KEYS && refuseStale(revision, before, isAsSent)) return;
    await setPartnerKeys(client, deps.sealer, accountId, { app_id: app.app_id, partner_id: dsp, format, keys });
    if (bytesOf(keys) > bytesOf(before ?? {})) await refuseTooManyBytes(client, accountId);
    await recordAct({ pool: client, clock: deps.clock }, by, {
      action: "partner_keys_set",
      subject: app.uuid,
      details: { partner: dsp, format },
    });
  });
  return dspKeysOf(deps, by.caller, id);
}

const bytesOf = (keys: object): number => Buffer.byteLength(JSON.stringify(keys));

/**
 * Refuses keys that bring the account above its limit: a partner may take any keys, and every exchange keeps
 * them in memory. Problem `conflict`.
 */
async function refuseTooManyBytes(client: PoolClient, accountId: number): Promise<void> {
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT coalesce(sum(octet_length(k.sealed)), 0) AS bytes FROM partner_keys k JOIN apps a ON a.id = k.app_id
     WHERE a.account_id = $1 AND a.deleted_at IS NULL`,
    [accountId],
  );
  if (Number(rows[0]?.bytes) > ACCOUNT_LIMITS.partnerKeyBytes)
    throw new Problem("conflict", accountLimitText("partnerKeyBytes"));
}

/** Removes keys. Problem `not_found` if there are none. */
export async function removeDspKeys(deps: DspKeysDeps, by: By, { id, dsp, format }: Place): Promise<RtbExt> {
  const { accountId } = by.caller;
  const app = await appOf(deps, by.caller, id);
  await inTransaction(deps.pool, async (client) => {
    const removed = await deletePartnerKeys(client, accountId, { appId: app.app_id, partnerId: dsp, format });
    if (!removed) throw new Problem("not_found", "There are no such keys");
    await recordAct({ pool: client, clock: deps.clock }, by, {
      action: "partner_keys_removed",
      subject: app.uuid,
      details: { partner: dsp, format },
    });
  });
  return dspKeysOf(deps, by.caller, id);
}

async function appOf(deps: DspKeysDeps, reach: AppReach, uuid: string): Promise<AppIdentity> {
  const app = await deps.findApp(reach, uuid);
  if (!app) throw new Problem("not_found", "There is no such app");
  return app;
}

type FormSchema = RtbExt["schemas"][string]["keys_schema"];

/** The schema of an adapter's keys for the form. */
export function keysSchemaOf({ keysSchema: schema }: Pick<Adapter, "keysSchema">): FormSchema {
  const properties: Record<string, KeyProperty> = Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [name, { ...property }]),
  );
  return { type: "object", title: schema.title, properties, required: [...schema.required] };
}
