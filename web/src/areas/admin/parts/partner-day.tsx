import type { AdminPartner } from "@millrace/contract";
import { formatCountExact, formatShare, percentOf } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { breakersQuery } from "../partners-api.ts";
import classes from "./parts.module.css";

export const msText = (ms: number | null): string => (ms === null ? "–" : `${Math.round(ms)} ms`);

const BREAKER_WORDS = {
  closed: "answers",
  open: "paused, because it kept failing",
  half_open: "being tried again after a pause",
} as const;

/** What a partner did today, and whether it is asked now. */
export function PartnerDay({ partner: { id, today, settings } }: { partner: AdminPartner }) {
  const breakers = useQuery(breakersQuery).data;
  const breaker = breakers?.paused.find((each) => each.id === id)?.breaker ?? "closed";
  const state = !settings.active ? "off" : breakers === undefined ? "…" : BREAKER_WORDS[breaker];
  const figures: [string, string][] = [
    ["State", state],
    ...(today === null
      ? [["Requests today", "none"] satisfies [string, string]]
      : ([
          ["Requests today", formatCountExact(today.asked)],
          ["Bid rate", formatShare(percentOf(today.bids, today.asked))],
          ["Win rate", formatShare(percentOf(today.wins, today.bids))],
          ["p50", msText(today.p50_ms)],
          ["p95", msText(today.p95_ms)],
          ["Timeouts", formatShare(percentOf(today.timeouts, today.asked))],
          ["Errors", formatCountExact(today.errors)],
        ] satisfies [string, string][])),
  ];
  return (
    <dl className={classes.sums}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
