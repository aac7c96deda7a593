import { createHash } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import type { Log } from "../../platform/log.ts";
import { pauses } from "../../platform/pauses.ts";
import type { Sealer } from "../../platform/sealed/sealer.ts";
import { openCredentials } from "./credentials.ts";
import {
  type PartnerKeysRow,
  type PartnerRow,
  type SealedKeysRow,
  listPartners,
  listSealedKeys,
  openKeys,
} from "./store.ts";

/** Reads and unseals what the exchange needs to know of partners. What does not unseal is left out and logged. */
export interface KeyReader {
  /** The publishers' keys of these apps. */
  (db: Pool | PoolClient, appIds: readonly number[]): Promise<PartnerKeysRow[]>;
  /** All partners, with their credentials among the headers. */
  partners(db: Pool | PoolClient): Promise<PartnerRow[]>;
}

type Opened = Map<string, PartnerKeysRow["keys"] | null>;

/** Creates a reader that unseals each value once, for as long as its app uses it. */
export function keyReader(sealer: Sealer, log: Pick<Log, "error">): KeyReader {
  const openedBefore = new Map<number, Opened>();

  async function keys(db: Pool | PoolClient, appIds: readonly number[]): Promise<PartnerKeysRow[]> {
    const rows = await listSealedKeys(db, appIds);
    const openedNow = new Map<number, Opened>();
    const keysRows: PartnerKeysRow[] = [];
    const pause = pauses();
    let shut = 0;
    for (const { sealed, keys: plain, ...row } of rows) {
      const digest = digestOf({ sealed, keys: plain });
      const known = openedBefore.get(row.app_id)?.get(digest);
      const own = known === undefined ? openKeys({ sealed, keys: plain }, sealer) : known;
      if (known === undefined && own === null) shut++;
      const opened: Opened = openedNow.get(row.app_id) ?? new Map();
      openedNow.set(row.app_id, opened.set(digest, own));
      if (own !== null) keysRows.push({ ...row, keys: own });
      await pause();
    }
    for (const id of appIds) {
      const opened = openedNow.get(id);
      if (opened) openedBefore.set(id, opened);
      else openedBefore.delete(id);
    }
    if (shut > 0) log.error({ count: shut }, "partner keys cannot be unsealed: their secret is no longer configured");
    return keysRows;
  }

  async function partners(db: Pool | PoolClient): Promise<PartnerRow[]> {
    return (await listPartners(db)).map(({ credentials, ...partner }) => {
      const opened = openCredentials(credentials, sealer);
      if (opened === null) {
        log.error(
          { partner: partner.id },
          "a partner's credentials cannot be unsealed: their secret is no longer configured",
        );
      }
      return { ...partner, headers: { ...partner.headers, ...opened } };
    });
  }

  return Object.assign(keys, { partners });
}

const digestOf = ({ sealed, keys }: Pick<SealedKeysRow, "sealed" | "keys">): string =>
  createHash("sha256")
    .update(sealed ?? JSON.stringify(keys))
    .digest("base64");
