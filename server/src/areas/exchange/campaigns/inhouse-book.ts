import type { Pool } from "pg";
import { type LiveInhouse, inhouseIdsAfter, readInhouse } from "./live-inhouse.ts";

/** Campaigns per query, so that no result blocks the event loop. */
const CAMPAIGNS_PER_READ = 100;

const NONE: ReadonlyMap<number, LiveInhouse> = new Map();

/** The in-house campaigns in memory by the apps that show them, kept in step by the exchange's configuration feed. */
export class InhouseBook {
  readonly #deps: { pool: Pool; publicUrl: string };
  readonly #byId = new Map<number, LiveInhouse>();
  readonly #byApp = new Map<number, Map<number, LiveInhouse>>();

  /** `publicUrl` is the platform's own address, under which images are served. */
  constructor(deps: { pool: Pool; publicUrl: string }) {
    this.#deps = deps;
  }

  /** The campaigns that an app shows, by id. */
  of(appId: number): ReadonlyMap<number, LiveInhouse> {
    return this.#byApp.get(appId) ?? NONE;
  }

  /** One that may be shown. */
  find(id: number): LiveInhouse | undefined {
    return this.#byId.get(id);
  }

  /** Reads all campaigns. */
  async renewAll(): Promise<void> {
    const { pool } = this.#deps;
    const gone = new Set(this.#byId.keys());
    for (let ids = await inhouseIdsAfter(pool, 0, CAMPAIGNS_PER_READ); ids.length > 0;) {
      for (const id of ids) gone.delete(id);
      await this.renew(ids);
      ids = await inhouseIdsAfter(pool, ids.at(-1) ?? 0, CAMPAIGNS_PER_READ);
    }
    for (const id of gone) this.#set(id, null);
  }

  /** Reads campaigns that have changed. Ids of advertisers' campaigns, which are of the same sequence, do nothing. */
  async renew(ids: readonly number[]): Promise<void> {
    for (let from = 0; from < ids.length; from += CAMPAIGNS_PER_READ) {
      const batch = ids.slice(from, from + CAMPAIGNS_PER_READ);
      const read = await readInhouse(this.#deps.pool, batch, this.#deps.publicUrl);
      const byId = new Map(read.map((campaign) => [campaign.id, campaign]));
      for (const id of batch) this.#set(id, byId.get(id) ?? null);
    }
  }

  #set(id: number, campaign: LiveInhouse | null): void {
    for (const appId of this.#byId.get(id)?.appIds ?? []) this.#byApp.get(appId)?.delete(id);
    this.#byId.delete(id);
    if (campaign === null) return;
    this.#byId.set(id, campaign);
    for (const appId of campaign.appIds) {
      const own = this.#byApp.get(appId);
      if (own) own.set(id, campaign);
      else this.#byApp.set(appId, new Map([[id, campaign]]));
    }
  }
}
