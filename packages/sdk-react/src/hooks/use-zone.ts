import { useEffect, useRef } from "react";
import type { Failure } from "@millrace/sdk/core";

/** What the hooks need of an SDK: that of browsers, or React Native's. */
export interface ZoneSdk {
  destroyAd(zone: string): void;
  addListener(type: "initialized" | "initializeFailed", listener: () => void): () => void;
}

/** A component's hold on a zone, from its mount until its unmount. It is not current while another component has the zone. */
export interface Hold {
  isCurrent: boolean;
  /** Another component has taken the zone. */
  lost: (failure: Failure) => void;
  /** Called once when the hold ends, for `start` to set. */
  end: () => void;
  /** Starts again, if it has the zone and may. */
  restart: () => void;
}

/** The holds of one SDK's mounted components, by zone. The first one owns the zone; when it unmounts, the next takes over. */
export type Holds = Map<string, Hold[]>;

const TAKEN: Failure = { code: "destroyed", message: "Another component shows this zone" };

/** A reference to the value of the last render, for callbacks that run later. */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}

/**
 * Runs `start` once for each mount and each zone (null: not yet), and releases the zone's ad at the end. The most recently
 * mounted component owns the zone, for example when a new page mounts before the old one is gone. `lost` tells the previous
 * owner, which starts again if it is still mounted when the newer one unmounts, for example when the user goes back. Another
 * `initialize` ends all ads; `start` then runs again if `mayRestart` allows it, even after a failed `initialize`, because
 * loads start the missing session.
 */
export function useZone(
  sdk: ZoneSdk,
  holds: Holds,
  zone: string | null,
  work: { start: (hold: Hold) => void; lost: (failure: Failure) => void; mayRestart: () => boolean },
): void {
  const latest = useLatest(work);
  useEffect(() => {
    if (zone === null) return undefined;
    const all = holds.get(zone) ?? [];
    holds.set(zone, all);
    const hold: Hold = {
      isCurrent: true,
      lost: (failure) => latest.current.lost(failure),
      end() {},
      restart() {
        if (all[0] === hold && latest.current.mayRestart()) latest.current.start(hold);
      },
    };
    // React's strict mode mounts twice in a row: what it unmounts at once has asked the server for nothing.
    queueMicrotask(() => {
      if (!hold.isCurrent) return;
      const [before] = all;
      if (before) {
        before.isCurrent = false;
        before.end();
        sdk.destroyAd(zone);
        before.lost(TAKEN);
      }
      all.unshift(hold);
      latest.current.start(hold);
    });
    const unlisteners = [
      sdk.addListener("initialized", hold.restart),
      sdk.addListener("initializeFailed", hold.restart),
    ];
    return () => {
      for (const unlisten of unlisteners) unlisten();
      hold.isCurrent = false;
      const place = all.indexOf(hold);
      if (place >= 0) all.splice(place, 1);
      if (place !== 0) return;
      hold.end();
      sdk.destroyAd(zone);
      // Later, because others may be unmounted or mounted at the same time.
      setTimeout(() => {
        const [next] = all;
        if (!next || next.isCurrent) return;
        next.isCurrent = true;
        next.restart();
      });
    };
  }, [sdk, holds, zone, latest]);
}
