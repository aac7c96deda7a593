import { backoffMs } from "./backoff.ts";
import type { AdRequest, Mediation, Render } from "./mediation.ts";
import type { Host } from "./host.ts";

/** Ad networks forbid refreshing a banner more often. */
export const SHORTEST_REFRESH_SECONDS = 10;

export interface Rotation {
  /** The place is visible again, or the network is back: requests an overdue ad now. */
  wake(): void;
  stop(): void;
}

/**
 * Shows ads in one place and refreshes them while it is visible, after `refreshSeconds` (by default the server's value; 0
 * means never). A failed request is retried with backoff.
 */
export function startRotation(
  mediation: Mediation,
  host: Pick<Host, "clock" | "random">,
  place: { request: AdRequest; render: Render; refreshSeconds?: number; isVisible: () => boolean },
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
    const result = await mediation.show(place.request, place.render);
    asking = false;
    failures = result.shown || !result.failed ? 0 : failures + 1;
    const refresh = place.refreshSeconds ?? result.refreshSeconds;
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
