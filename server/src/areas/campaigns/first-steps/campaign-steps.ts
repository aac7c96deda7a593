import type { CampaignStep } from "@millrace/contract";
import type { AccountSpend } from "../../budgets/index.ts";
import type { Moderation } from "../campaign-status.ts";

export interface CampaignFacts {
  campaigns: number;
  /** Of all their creatives, each state once or more often. */
  moderation: readonly Moderation[];
  spend: Pick<AccountSpend, "balanceMicros" | "spentMicros">;
}

/** An advertiser's steps to the first spend, in order. Each is done by what happened, never by a click on the list. */
export function campaignSteps({ campaigns, moderation, spend }: CampaignFacts): CampaignStep[] {
  const hasSpent = spend.spentMicros > 0;
  return [
    { step: "campaign", state: campaigns > 0 || hasSpent ? "done" : "todo" },
    { step: "balance", state: spend.balanceMicros > 0 || hasSpent ? "done" : "todo" },
    { step: "approved", state: hasSpent ? "done" : approval(moderation) },
    { step: "spend", state: hasSpent ? "done" : "waiting" },
  ];
}

function approval(moderation: readonly Moderation[]): CampaignStep["state"] {
  if (moderation.includes("approved")) return "done";
  const areBlocked = moderation.length > 0 && moderation.every((state) => state === "blocked");
  return areBlocked ? "failed" : "waiting";
}
