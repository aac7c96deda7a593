import { backoffMs } from "./backoff.ts";
import type { AdRequest, Mediation, Render } from "./mediation.ts";
import type { Host } from "./seams.ts";

/** Networks forbid more frequent changes of a banner. */
export const SHORTEST_REFRESH_SECONDS = 10;

export interface Rotation {
  /** The place can be seen again, or the network is back: an overdue ad is asked for now. */
  wake(): void;
  stop(): void;
}

/**
 * Fills one place and keeps it fresh: after `refreshSeconds` (left out: the server's word; 0: never) while it can be seen,
 * sooner after a failed request.
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

  async function turn(): Promise<void> {
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
    cancel = host.clock.after(wait, () => void turn());
  }

  void turn();
  return {
    wake() {
      if (overdue || failures > 0) void turn();
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}
