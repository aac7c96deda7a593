import type { FrequencyCap } from "@millrace/contract";
import type { Pool } from "pg";
import { pauses } from "../../../platform/pauses.ts";
import { CampaignIndex } from "./campaign-index.ts";
import { campaignIdsAfter, type LiveCampaign, readCampaigns } from "./live-campaigns.ts";

/** Campaigns per query, so that no result blocks the event loop. */
const CAMPAIGNS_PER_READ = 100;

interface BookDeps {
  pool: Pool;
  /** The platform's own address, under which images are served. */
  publicUrl: string;
  /** Called for each campaign that was read, and with null for one that is gone. */
  onChange?(id: number, campaign: LiveCampaign | null): void;
}

/** The campaigns in memory, kept in step with the relational store by the exchange's configuration feed. */
export class CampaignBook {
  readonly #deps: BookDeps;
  readonly #byId = new Map<number, LiveCampaign>();
  /** Those that may buy. */
  readonly index = new CampaignIndex();

  constructor(deps: BookDeps) {
    this.#deps = deps;
  }

  /** A campaign whose ads may still be shown or clicked. */
  find(id: number): LiveCampaign | undefined {
    return this.#byId.get(id);
  }

  /** The frequency caps of a campaign, also of one that no longer buys: its ads may still be shown. */
  capsOf(id: number): readonly FrequencyCap[] {
    return this.#byId.get(id)?.caps ?? [];
  }

  /** Reads all campaigns. */
  async renewAll(): Promise<void> {
    const { pool } = this.#deps;
    const gone = new Set(this.#byId.keys());
    for (let ids = await campaignIdsAfter(pool, 0, CAMPAIGNS_PER_READ); ids.length > 0;) {
      for (const id of ids) gone.delete(id);
      await this.renew(ids);
      ids = await campaignIdsAfter(pool, ids.at(-1) ?? 0, CAMPAIGNS_PER_READ);
    }
    await this.renew([...gone]);
  }

  /** Reads campaigns that have changed. */
  async renew(ids: readonly number[]): Promise<void> {
    const pause = pauses();
    for (let from = 0; from < ids.length; from += CAMPAIGNS_PER_READ) {
      const batch = ids.slice(from, from + CAMPAIGNS_PER_READ);
      const read = await readCampaigns(this.#deps.pool, batch, this.#deps.publicUrl);
      const byId = new Map(read.map((campaign) => [campaign.id, campaign]));
      for (const id of batch) {
        this.#set(id, byId.get(id) ?? null);
        await pause();
      }
    }
  }

  #set(id: number, campaign: LiveCampaign | null): void {
    if (campaign === null) this.#byId.delete(id);
    else this.#byId.set(id, campaign);
    if (campaign?.isBuying === true) this.index.put(campaign);
    else this.index.remove(id);
    this.#deps.onChange?.(id, campaign);
  }
}
