import type { AppPartner, FirstStep } from "@millrace/contract";
import type { SiteState } from "../../demand-partners/index.ts";
import type { CountSince, FirstCounts } from "../../statistics/index.ts";
import type { App } from "../store.ts";

export interface StepFacts {
  moderation: App["moderation"];
  partners: readonly Pick<AppPartner, "active" | "enabled" | "keyed">[];
  counted: Pick<FirstCounts, "sessions" | "requests" | "impressions">;
  site: SiteState;
}

/** The partners that the app's auctions ask: not disabled by the operator, with keys, and switched on. */
export const connectedPartners = (partners: StepFacts["partners"]): number =>
  partners.filter(({ active, enabled, keyed }) => active && enabled && keyed.length > 0).length;

/** An app's steps to its first ad, in order. Each is done by what happened, never by a click on the list. */
export function stepsOf({ moderation, partners, counted, site }: StepFacts): FirstStep[] {
  const { sessions, requests, impressions } = counted;
  const connected = connectedPartners(partners);
  const uncounted = { count: null, since: null };
  const counts = (of: CountSince, isDone = of.count > 0) => ({ state: isDone ? DONE : WAITING, ...of });
  return [
    { step: "app", state: APP_STATE[moderation], ...uncounted },
    { step: "demand", state: connected > 0 ? DONE : "todo", count: connected, since: null },
    // A VAST tag, a server or Prebid starts no sessions: there the first request shows that the snippet is in.
    { step: "snippet", ...counts(sessions, sessions.count > 0 || requests.count > 0) },
    { step: "request", ...counts(requests) },
    { step: "impression", ...counts(impressions) },
    { step: "app_ads", state: SITE_STATE[site], ...uncounted },
  ];
}

const DONE = "done" as const;
const WAITING = "waiting" as const;

const APP_STATE = { live: "done", check: "waiting", banned: "failed" } as const satisfies Record<
  App["moderation"],
  FirstStep["state"]
>;

const SITE_STATE = {
  no_site: "todo",
  checking: "waiting",
  missing: "waiting",
  found: "done",
} as const satisfies Record<SiteState, FirstStep["state"]>;
