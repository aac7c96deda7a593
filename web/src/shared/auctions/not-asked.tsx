import { HelpLink } from "../help-link.tsx";
import { notAskedFor } from "./participants-of.ts";
import type { Explained } from "./use-auction.ts";
import classes from "./auctions.module.css";

/** The partners that were not asked, in one line with their reasons counted; opens to their names. */
export function NotAsked({ auction, imp }: { auction: Explained; imp: string }) {
  const reasons = notAskedFor(auction, imp);
  const total = reasons.reduce((sum, { names }) => sum + names.length, 0);
  if (total === 0) return null;
  return (
    <details className={classes.notAsked}>
      <summary>
        <b>Not asked ({total})</b>
        {reasons.map(({ reason, names }) => (
          <span key={reason}>
            {reason} <b>{names.length}</b>
          </span>
        ))}
      </summary>
      <dl>
        {reasons.map(({ reason, code, names }) => (
          <div key={reason}>
            <dt>
              <HelpLink to={`reasons#${code}`}>{reason}</HelpLink>
            </dt>
            <dd>{names.join(", ")}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
