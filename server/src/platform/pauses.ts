import { setImmediate } from "node:timers/promises";

/** Lets the event loop turn between two steps of long work; call it after each step. */
export type Pause = () => Promise<void>;

const SLICE_MS = 4;

/** A pause that waits only once the work has run for a slice, so that short steps cost nothing. */
export function pauses(): Pause {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
