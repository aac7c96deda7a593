import { setTimeout as sleep } from "node:timers/promises";
import type { deductions, nextPayment, Reply, Session } from "@millrace/contract";
import { signIn } from "./sign-in.ts";
import type { Platform } from "./start-platform.ts";

/** Each look adds up the account's money, which takes time from the history. */
const LOOK_EVERY_MS = 3000;

/**
 * Waits until the demo has written its history, which keeps the machine busy and would distort time limits. Gives up after ten
 * minutes, or as many as are given.
 */
export async function waitForHistory(platform: Platform, minutes = 10): Promise<void> {
  const user = await signIn(platform);
  const until = Date.now() + minutes * 60_000;
  while (Date.now() < until) {
    const { demo } = await user.get<Session>("/session.json");
    if (demo.history_progress >= 1) return;
    await sleep(LOOK_EVERY_MS);
  }
}

const MONEY_WITHIN_MS = 600_000;

/** Waits until the history's payouts are made and its deductions noted, after which no balance changes. Throws after ten minutes. */
export async function waitForMoney(platform: Platform): Promise<void> {
  const user = await signIn(platform);
  for (const until = Date.now() + MONEY_WITHIN_MS; ; await sleep(LOOK_EVERY_MS)) {
    const { paid } = await user.get<Reply<typeof nextPayment>>("/payment/next.json");
    const { held_back: heldBack } = await user.get<Reply<typeof deductions>>("/payment/deductions.json");
    if (paid > 0 && heldBack > 0) return;
    if (Date.now() > until) throw new Error("The demo has made no payouts, or noted no deductions");
  }
}
