import type { GateReason } from "@millrace/auction";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { atSeconds, type EventSink } from "../../statistics/index.ts";

interface MissDeps {
  events: Pick<EventSink, "appendAll">;
  clock: Clock;
  log: Log;
}

/** While the store is away, counts of no more than this many campaigns and reasons are kept. */
const MOST_ENTRIES = 100_000;

/**
 * Counts the auctions that campaigns wanted and did not enter, by reason. Counts reach the journal every few seconds; a crash
 * loses those of the last seconds.
 */
export class CampaignMisses {
  readonly #deps: MissDeps;
  #counts = new Map<number, Map<GateReason, number>>();

  constructor(deps: MissDeps) {
    this.#deps = deps;
  }

  add(campaignId: number, reason: GateReason, auctions = 1): void {
    let ofCampaign = this.#counts.get(campaignId);
    if (!ofCampaign) {
      if (this.#counts.size >= MOST_ENTRIES) return;
      ofCampaign = new Map();
      this.#counts.set(campaignId, ofCampaign);
    }
    ofCampaign.set(reason, (ofCampaign.get(reason) ?? 0) + auctions);
  }

  /** Hands the counts to the journal. Those that it does not take are tried again with the next flush. */
  async flush(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = this.#counts;
    this.#counts = new Map();
    const at = atSeconds(this.#deps.clock.now());
    const rows = [...counts].flatMap(([campaign_id, reasons]) =>
      [...reasons].map(([reason, auctions]) => ({ at, campaign_id, reason, auctions })),
    );
    try {
      await this.#deps.events.appendAll("campaign_misses", rows);
    } catch (error) {
      this.#deps.log.warn(
        { err: error },
        "counts of missed auctions could not be stored and are kept for the next time",
      );
      for (const [id, reasons] of counts) for (const [reason, auctions] of reasons) this.add(id, reason, auctions);
    }
  }
}
