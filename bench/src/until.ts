import { setTimeout as sleep } from "node:timers/promises";

const BACK_WITHIN_MS = 30_000;

/** Waits until something new is acknowledged. */
export async function untilAcknowledged(acknowledged: ReadonlySet<string>): Promise<void> {
  const before = acknowledged.size;
  await within(async () => acknowledged.size > before, "beacons are acknowledged");
}

export async function within(holds: () => Promise<boolean>, what: string): Promise<void> {
  const from = performance.now();
  while (!(await holds())) {
    if (performance.now() - from > BACK_WITHIN_MS) throw new Error(`Not within ${BACK_WITHIN_MS / 1000} s: ${what}`);
    await sleep(20);
  }
}
