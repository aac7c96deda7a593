import { createHash } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import type { Log } from "../../platform/log.ts";
import { pauses } from "../../platform/pauses.ts";
import type { Sealer } from "../../platform/sealed/sealer.ts";
import { type PartnerKeysRow, type SealedKeysRow, listSealedKeys, openKeys } from "./store.ts";

/**
 * Reads and unseals these apps' keys for the exchange. Keys that do not unseal are left out and logged; other keys are
 * not affected.
 */
export type KeyReader = (db: Pool | PoolClient, appIds: readonly number[]) => Promise<PartnerKeysRow[]>;

type Opened = Map<string, PartnerKeysRow["keys"] | null>;

/** Creates a reader that unseals each value once, for as long as its app uses it. */
export function keyReader(sealer: Sealer, log: Pick<Log, "error">): KeyReader {
  const openedBefore = new Map<number, Opened>();

  return async (db, appIds) => {
    const rows = await listSealedKeys(db, appIds);
    const openedNow = new Map<number, Opened>();
    const keysRows: PartnerKeysRow[] = [];
    const pause = pauses();
    let shut = 0;
    for (const { sealed, keys: plain, ...row } of rows) {
      const digest = digestOf({ sealed, keys: plain });
      const known = openedBefore.get(row.app_id)?.get(digest);
      const keys = known === undefined ? openKeys({ sealed, keys: plain }, sealer) : known;
      if (known === undefined && keys === null) shut++;
      const opened: Opened = openedNow.get(row.app_id) ?? new Map();
      openedNow.set(row.app_id, opened.set(digest, keys));
      if (keys !== null) keysRows.push({ ...row, keys });
      await pause();
    }
    for (const id of appIds) {
      const opened = openedNow.get(id);
      if (opened) openedBefore.set(id, opened);
      else openedBefore.delete(id);
    }
    if (shut > 0) log.error({ count: shut }, "partner keys cannot be unsealed: their secret is no longer configured");
    return keysRows;
  };
}

const digestOf = ({ sealed, keys }: Pick<SealedKeysRow, "sealed" | "keys">): string =>
  createHash("sha256")
    .update(sealed ?? JSON.stringify(keys))
    .digest("base64");
