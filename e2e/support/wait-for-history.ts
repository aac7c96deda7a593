import type { Session } from "@millrace/contract";
import { signIn } from "./sign-in.ts";
import type { Platform } from "./start-platform.ts";

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
    // Each look adds up the account's money, which takes time from the history.
    await new Promise((resolve) => setTimeout(resolve, 3000));
  }
}
