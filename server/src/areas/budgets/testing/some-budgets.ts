import { afterAll } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { sleep } from "../../../platform/waiting.ts";
import type { Hold } from "../budgets.ts";
import { budgetsArea } from "../index.ts";

/** A clock that starts at a moment and runs on, and that a test can move. */
export function movableClock(startMs: number) {
  const began = performance.now();
  const clock = { offsetMs: 0, now: () => Math.floor(startMs + performance.now() - began + clock.offsetMs) };
  return clock;
}

/** The budgets of one process; stopped after the file's last test. */
export function someBudgets(postgresUrl: string, clock: ReturnType<typeof movableClock>) {
  const budgets = budgetsArea({ postgresUrl, clock, log: silentLog, storeClock: clock });
  afterAll(() => budgets.stop?.());
  return {
    ...budgets,
    /** Holds as soon as the store has answered; the reason if it granted nothing. */
    async holdNow(campaignId: number, micros = 1000, forMs = 60_000) {
      for (;;) {
        const hold = budgets.hold(campaignId, micros, clock.now() + forMs);
        if (hold !== "lease_pending") return hold;
        await sleep(2);
      }
    },
    /** Holds after a refusal has been asked again. */
    async heldInTheEnd(campaignId: number, micros = 1000): Promise<Hold> {
      for (;;) {
        const hold = budgets.hold(campaignId, micros, clock.now() + 60_000);
        if (typeof hold !== "string") return hold;
        await sleep(5);
      }
    },
    /** Holds until nothing is granted any more. */
    async holdAll(campaignId: number, micros = 1000, forMs = 60_000): Promise<Hold[]> {
      const holds: Hold[] = [];
      for (;;) {
        const hold = await this.holdNow(campaignId, micros, forMs);
        if (typeof hold === "string") return holds;
        holds.push(hold);
      }
    },
    /** Lets time pass. */
    async tick(ms: number): Promise<void> {
      clock.offsetMs += ms;
      await budgets.returnUnheld();
    },
    spendAll: (holds: readonly Hold[]) =>
      budgets.spend(
        holds.map(({ campaignId, leaseId, micros }) => ({ campaignId, leaseId, micros, atMs: clock.now() })),
      ),
  };
}
