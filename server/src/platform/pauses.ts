import { setImmediate } from "node:timers/promises";

/** Yields to the event loop between two steps of long work; call it after each step. */
export type Pause = () => Promise<void>;

const SLICE_MS = 4;

/** Creates a pause that only yields after a time slice of work, so that short steps cost nothing. */
export function pauses(): Pause {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
