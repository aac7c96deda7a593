import type { CampaignStatus } from "@millrace/contract";
import type { OwnApp } from "./inhouse-store.ts";

interface Facts {
  frozen: boolean;
  /** Null if it was deleted. */
  promoted: Pick<OwnApp, "moderation"> | null;
  /** The apps that show it, without deleted ones. */
  shownIn: readonly Pick<OwnApp, "moderation">[];
}

/** What an in-house campaign does, and why it is not shown. It needs no moderation: only its owner's apps show it. */
export function inhouseStatus({ frozen, promoted, shownIn }: Facts): {
  campaign_status: CampaignStatus;
  status_reason: string | null;
} {
  const is = (campaign_status: CampaignStatus, status_reason: string | null = null) => ({
    campaign_status,
    status_reason,
  });
  if (frozen) return is("frozen");
  if (promoted === null) return is("pause", "The promoted app was deleted.");
  if (promoted.moderation === "banned") return is("pause", "The promoted app is banned.");
  if (shownIn.length === 0) return is("pause", "The apps that showed it were deleted. Choose others.");
  if (shownIn.some(({ moderation }) => moderation === "live")) return is("play");
  if (shownIn.every(({ moderation }) => moderation === "banned"))
    return is("pause", "The apps that show it are banned.");
  return is("wait", "The apps that show it are waiting for moderation.");
}
