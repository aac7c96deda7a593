import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "../../../platform/http/problem.ts";
import type { OpenedToken } from "../delivery/beacon-token.ts";
import type { SeenEvents } from "./seen-events.ts";

/** A click may overtake its impression on the way, so it waits this long for it. */
const WAIT_MS = 1500;
const LOOK_MS = 50;
const MOST_WAITING = 1000;
/** The limit for one sender's address, so that a flood does not keep other senders' clicks from waiting. */
const MOST_OF_ONE = 50;

/** Clicks that wait for their impressions. */
export interface EarlyClicks {
  /**
   * Resolves once the clicks' impressions are stored, or have had their time. Of a request with very many, only the first wait.
   * Rejects with Problem `unavailable` if too many wait already.
   */
  wait(clicks: readonly OpenedToken[], sender: { address: string }): Promise<void>;
}

export function earlyClicks(seen: Pick<SeenEvents, "has">): EarlyClicks {
  const waiting = new Map<string, number>();
  let all = 0;
  const add = (address: string, count: number) => {
    all += count;
    const ofOne = (waiting.get(address) ?? 0) + count;
    if (ofOne === 0) waiting.delete(address);
    else waiting.set(address, ofOne);
  };
  const missingOf = async (clicks: readonly OpenedToken[]) => {
    const kept = await Promise.all(
      clicks.map(({ eventIds, facts }) => seen.has(eventIds.impression, facts.issuedAtMs)),
    );
    return clicks.filter((_, nth) => kept[nth] !== true);
  };
  return {
    async wait(clicks, { address }) {
      // Copies of a click wait for the same impression.
      const unique = new Map(clicks.map((click) => [click.eventIds.impression, click]));
      let missing = (await missingOf([...unique.values()])).slice(0, MOST_OF_ONE);
      const { length: count } = missing;
      if (count === 0) return;
      if (all + count > MOST_WAITING || (waiting.get(address) ?? 0) + count > MOST_OF_ONE)
        throw new Problem("unavailable", "Too many clicks wait for their impressions", { retryAfterSeconds: 2 });
      add(address, count);
      try {
        const end = performance.now() + WAIT_MS;
        while (missing.length > 0 && performance.now() < end) {
          await sleep(LOOK_MS);
          missing = await missingOf(missing);
        }
      } finally {
        add(address, -count);
      }
    },
  };
}
