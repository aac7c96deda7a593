import { useEffect, useRef } from "react";
import type { Failure } from "@millrace/sdk/core";

/** What the hooks need of an SDK: that of browsers, or React Native's. */
export interface ZoneSdk {
  destroyAd(zone: string): void;
  addListener(type: "initialized" | "initializeFailed", listener: () => void): () => void;
}

/** A component's hold on a zone, from its mount until its unmount or until another component takes the zone. */
export interface Hold {
  isCurrent: boolean;
  /** Another component has taken the zone. */
  lost: (failure: Failure) => void;
  /** Called once when the hold ends, for `start` to set. */
  end: () => void;
}

/** The zones of one SDK that mounted components hold. */
export type Holds = Map<string, Hold>;

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
 * Runs `start` once for each mount and each zone (null: not yet), and gives up the zone's ad at the end. The last component of
 * a zone has it, as when a new page mounts before the old one is gone; `lost` tells the one before. Another `initialize` ends
 * all ads: then `start` runs again, if `mayRestart` says so, also after one that failed: loads start the session that is missing.
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
    const hold: Hold = { isCurrent: true, lost: (failure) => latest.current.lost(failure), end() {} };
    // React's strict mode mounts twice in a row: what it unmounts at once has asked the server for nothing.
    queueMicrotask(() => {
      if (!hold.isCurrent) return;
      const before = holds.get(zone);
      if (before) {
        before.isCurrent = false;
        before.end();
        sdk.destroyAd(zone);
        before.lost(TAKEN);
      }
      holds.set(zone, hold);
      latest.current.start(hold);
    });
    const restart = () => {
      if (hold.isCurrent && holds.get(zone) === hold && latest.current.mayRestart()) latest.current.start(hold);
    };
    const unlisteners = [sdk.addListener("initialized", restart), sdk.addListener("initializeFailed", restart)];
    return () => {
      for (const unlisten of unlisteners) unlisten();
      hold.isCurrent = false;
      if (holds.get(zone) !== hold) return;
      hold.end();
      holds.delete(zone);
      sdk.destroyAd(zone);
    };
  }, [sdk, holds, zone, latest]);
}
