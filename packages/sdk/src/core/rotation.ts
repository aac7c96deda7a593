import { backoffMs } from "./backoff.ts";
import type { Host } from "./host.ts";

/** Partners forbid refreshing a banner more often. */
export const SHORTEST_REFRESH_SECONDS = 10;

/** What came of a turn: an ad or none, and the server's refresh time in seconds (0 if there was no usable reply). */
export interface Turn {
  /** There was no reply, so it is too early to wait for the refresh time. */
  failed: boolean;
  refreshSeconds: number;
}

export interface Rotation {
  /** The place is visible again, or the network is back: an overdue turn comes now. */
  wake(): void;
  stop(): void;
}

/**
 * Shows ads in one place, one by turn, while it is visible, after `refreshSeconds` (by default the server's value; 0 means
 * never). After a failed turn the next comes with backoff.
 */
export function startRotation(
  host: Pick<Host, "clock" | "random">,
  place: { turn: () => Promise<Turn>; refreshSeconds: number | undefined; isVisible: () => boolean },
): Rotation {
  let stopped = false;
  let asking = false;
  let overdue = true;
  let failures = 0;
  let cancel = () => {};

  async function showNext(): Promise<void> {
    overdue = true;
    if (stopped || asking || !place.isVisible()) return;
    overdue = false;
    asking = true;
    cancel();
    const turn = await place.turn();
    asking = false;
    failures = turn.failed ? failures + 1 : 0;
    const refresh = place.refreshSeconds ?? turn.refreshSeconds;
    const wait = failures > 0 ? backoffMs(failures, host.random) : Math.max(SHORTEST_REFRESH_SECONDS, refresh) * 1000;
    if (stopped || (failures === 0 && refresh <= 0)) return;
    cancel = host.clock.after(wait, () => void showNext());
  }

  void showNext();
  return {
    wake() {
      if (overdue || failures > 0) void showNext();
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}
