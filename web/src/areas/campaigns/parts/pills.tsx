import { CAMPAIGN_STATUS_TEXTS, type CampaignStatus, type CreativeStatus } from "@millrace/contract";
import { creativeState } from "../campaign-status.ts";
import classes from "./pills.module.css";

const CAMPAIGN_KINDS = {
  play: "good",
  wait: "waiting",
  pause: "warning",
  frozen: "waiting",
  done: "waiting",
} as const satisfies Record<CampaignStatus, string>;

/** What a campaign does now. */
export const StatusPill = ({ status }: { status: CampaignStatus }) => (
  <span className={classes.pill} data-kind={CAMPAIGN_KINDS[status]}>
    {CAMPAIGN_STATUS_TEXTS[status]}
  </span>
);

const CREATIVE_KINDS = {
  new: "waiting",
  edited: "warning",
  moderated: "good",
  active: "good",
  blocked: "bad",
} as const satisfies Record<CreativeStatus, string>;

/** A creative's state; one that was never saved is new. `count` creatives may share it. */
export function CreativePill({ status, count = 1 }: { status: string | null; count?: number }) {
  const state = creativeState(status);
  return (
    <span className={classes.pill} data-kind={CREATIVE_KINDS[state]}>
      {count > 1 ? `${count} ${state}` : state}
    </span>
  );
}
