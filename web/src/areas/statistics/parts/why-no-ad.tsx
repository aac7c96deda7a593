import { type AppParts, loadingText } from "@millrace/contract";
import { formatCount, formatCountExact, formatPointChange, formatShare } from "@millrace/units";
import { type RequestsFilter, RequestsLink } from "../../../shared/requests-link.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { Change } from "../../../ui/number/change.tsx";
import { RankRows } from "../../../ui/ranks/rank-rows.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { usePart } from "../api.ts";
import { NothingCounted } from "./nothing-counted.tsx";
import type { AppScope } from "../scope.ts";
import { useAgainst } from "../use-compared.ts";
import classes from "./parts.module.css";

type Reasons = AppParts["why_no_ad"];

/** Why requests were answered without an ad. */
export function WhyNoAd({ scope }: { scope: AppScope }) {
  const reasons = usePart("why_no_ad", scope);
  const against = useAgainst(scope);
  return (
    <LoadedBlock
      title="Why no ad?"
      aside={reasons.data && reasons.data.length > 0 ? <Unfilled rows={reasons.data} scope={scope} /> : undefined}
      query={reasons}
      loading={loadingText("reasons")}
      skeleton={<RowsSkeleton rows={6} height={31} />}
      isEmpty={(rows) => rows.length === 0}
      empty={<NoReasons scope={scope} />}
    >
      {(rows) => (
        <RankRows
          label="Reasons"
          rows={rows.map((row) => ({
            id: row.reason,
            name: (
              <RequestsLink uuid={scope.uuid} filter={unfilledIn(scope, row.reason)} className={classes.nameLink}>
                {row.text}
              </RequestsLink>
            ),
            figure: formatShare(row.share),
            exact: `${row.text}: ${requestsText(row.requests)}`,
            percent: row.share,
            ...(row.last_requests === null || against === null
              ? {}
              : { change: <ShareChange share={row.share} before={row.last_share} against={against} /> }),
          }))}
        />
      )}
    </LoadedBlock>
  );
}

const requestsText = (count: number) => `${formatCountExact(count)} ${count === 1 ? "request" : "requests"}`;

interface ShareChangeProps {
  share: number;
  /** Null if nothing was counted in the compared period. */
  before: number | null;
  against: string;
}

/** The change of a share. Another share falls as it rises, so neither direction is good. */
export const ShareChange = ({ share, before, against }: ShareChangeProps) => (
  <Change text={formatPointChange(share, before)} against={against} good="neither" none="new" />
);

/** Why there are no reasons: no request without an ad, or none at all. */
function NoReasons({ scope }: { scope: AppScope }) {
  const requests = usePart("totals", scope).data?.requests;
  if (requests === 0) return <NothingCounted what="requests" />;
  return <EmptyNote title="No requests without an ad found" why="Every request in this period got an ad." />;
}

/** The requests without an ad themselves, for this reason or any. */
function unfilledIn({ filter: { ds, de, format, country } }: AppScope, reason?: string): RequestsFilter {
  return { ds, de, format, country, outcome: "no_ad", reason };
}

/** The number of requests without an ad, and the way to them. A request without an ad has no provider that it could be filtered by. */
function Unfilled({ rows, scope }: { rows: Reasons; scope: AppScope }) {
  const count = rows.reduce((total, row) => total + row.requests, 0);
  const providerSuffix = scope.filter.provider.length > 0 ? " of any provider" : "";
  return (
    <span title={`${requestsText(count)} without an ad`}>
      {formatCount(count)} without an ad{providerSuffix}{" "}
      <RequestsLink uuid={scope.uuid} filter={unfilledIn(scope)} className={classes.seeThem}>
        See them
      </RequestsLink>
    </span>
  );
}
