import type { NotCounted as Reason } from "@millrace/contract";
import { formatCount, formatCountExact } from "@millrace/units";
import { type RequestsFilter, RequestsLink } from "../../../shared/requests-link.tsx";
import { HelpLink } from "../../../shared/help-link.tsx";
import { usePart } from "../api.ts";
import type { Scope } from "../scope.ts";
import classes from "./not-counted.module.css";

/** The impressions and clicks that arrived and were not counted, with the reasons behind a click. Nothing if there are none. */
export function NotCounted({ scope }: { scope: Scope }) {
  const reasons = usePart("not_counted", scope).data ?? [];
  if (reasons.length === 0) return null;
  return (
    <details className={classes.notCounted}>
      <summary>
        <b>{countsOf(sum(reasons, "impressions"), sum(reasons, "clicks"), formatCount)}</b> not counted
      </summary>
      <ul>
        {reasons.map(({ reason, text, impressions, clicks }) => (
          <li key={reason}>
            <HelpLink to={`not-counted#${reason}`}>{text}</HelpLink>: {countsOf(impressions, clicks, formatCountExact)}
          </li>
        ))}
      </ul>
      {scope.uuid === null ? null : (
        <p>
          Each request shows what followed it, and why that did not count:{" "}
          <RequestsLink uuid={scope.uuid} filter={soldIn(scope)}>
            see the requests with an ad
          </RequestsLink>
        </p>
      )}
    </details>
  );
}

const soldIn = ({ filter: { ds, de, format, country, provider } }: Scope): RequestsFilter => ({
  ds,
  de,
  format,
  country,
  outcome: "sold",
  winner: provider,
});

const sum = (reasons: readonly Reason[], id: "impressions" | "clicks"): number =>
  reasons.reduce((total, reason) => total + reason[id], 0);

/** `12 impressions and 1 click`; what there is none of is left out. */
function countsOf(impressions: number, clicks: number, format: (count: number) => string): string {
  const one = (count: number, name: string) =>
    count === 0 ? [] : [`${format(count)} ${name}${count === 1 ? "" : "s"}`];
  return [...one(impressions, "impression"), ...one(clicks, "click")].join(" and ");
}
