import type { CampaignRow, CreativeStatus } from "@millrace/contract";

/** The states of a campaign that its owner lets run. */
const RUNNING: ReadonlySet<string> = new Set(["active", "play", "wait", "done"]);

export const isRunning = (status: string): boolean => RUNNING.has(status);

/** What the switch of a campaign asks for. */
export const switchedStatus = (status: string): CampaignRow["status"] => (isRunning(status) ? "frozen" : "active");

const CREATIVE_STATES = new Map<string, CreativeStatus>([
  ["frozen", "moderated"],
  ["moderated", "moderated"],
  ["active", "active"],
  ["blocked", "blocked"],
  ["edited", "edited"],
]);

/** A creative's state as tables show it: one that is unknown, or none, is new. */
export const creativeState = (status: string | null): CreativeStatus => CREATIVE_STATES.get(status ?? "") ?? "new";
