import { backoffMs } from "./backoff.ts";
import type { ErrorCode } from "./failure.ts";
import type { Host } from "./host.ts";

/** Partners forbid refreshing a banner more often. */
export const SHORTEST_REFRESH_SECONDS = 10;

/** What came of a turn. */
export interface Turn {
  /** No ad was shown, so there is no refresh time, and the next turn comes with backoff. */
  failed: boolean;
  /** The server's refresh time, or after a failed turn the least wait. */
  refreshSeconds: number;
}

/**
 * The turn of an ad that could not be loaded or shown. If nobody has bought it, another request soon would sell nothing either.
 * An SDK that is switched off asks nobody, and may be on again at a later turn.
 */
export const turnWithout = (code: ErrorCode): Turn => ({
  failed: true,
  refreshSeconds: code === "no_ad" ? SHORTEST_REFRESH_SECONDS : 0,
});

export interface Rotation {
  /**
   * The place is visible again: an overdue turn comes now. If the network is back, so does one that waits after a failure, unless
   * the server has said less than 10 seconds ago that there is no ad.
   */
  wake(isBackOnline?: boolean): void;
  stop(): void;
}

/**
 * Shows ads in one place, one by turn, while it is visible, after `refreshSeconds` (by default the server's value; 0 means
 * never). After a failed turn the next comes with backoff.
 */
export function startRotation(
  host: Pick<Host, "clock" | "random">,
  place: {
    /** Null if the page was hidden while the ad was loaded: the turn comes again once the place is visible. */
    turn: () => Promise<Turn | null>;
    refreshSeconds: number | undefined;
    isVisible: () => boolean;
  },
): Rotation {
  let stopped = false;
  let asking = false;
  let overdue = true;
  let failures = 0;
  /** When a failed turn may be repeated at the earliest, in ticks. */
  let notBefore = 0;
  let cancel = () => {};

  async function showNext(): Promise<void> {
    if (stopped || asking) return;
    overdue = !place.isVisible();
    if (overdue) return;
    asking = true;
    cancel();
    const turn = await place.turn();
    asking = false;
    overdue = !turn;
    if (!turn) return;
    failures = turn.failed ? failures + 1 : 0;
    notBefore = host.clock.ticks() + turn.refreshSeconds * 1000;
    const refresh = place.refreshSeconds ?? turn.refreshSeconds;
    const wait =
      failures > 0
        ? Math.max(backoffMs(failures, host.random), turn.refreshSeconds * 1000)
        : Math.max(SHORTEST_REFRESH_SECONDS, refresh) * 1000;
    if (stopped || (failures === 0 && refresh <= 0)) return;
    cancel = host.clock.after(wait, () => void showNext());
  }

  void showNext();
  return {
    wake(isBackOnline = false) {
      if (overdue || (isBackOnline && failures > 0 && host.clock.ticks() >= notBefore)) void showNext();
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}
