import { type AppParts, loadingText } from "@millrace/contract";
import { formatChange, formatCount, formatCountExact, formatPercent } from "@millrace/units";
import { Change } from "../../../ui/number/change.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { usePart } from "../api.ts";
import { type AppScope, againstOf, hasPrevious, previousScope } from "../scope.ts";
import { ShareRows } from "./share-rows.tsx";

type Reasons = AppParts["why_no_ad"];

/** Why requests were answered without an ad. */
export function WhyNoAd({ scope }: { scope: AppScope }) {
  const reasons = usePart("why_no_ad", scope);
  return (
    <LoadedBlock
      title="Why no ad?"
      aside={reasons.data ? <Unfilled rows={reasons.data} scope={scope} /> : undefined}
      query={reasons}
      loading={loadingText("reasons")}
      skeleton={<RowsSkeleton rows={6} height={33} />}
      isEmpty={(rows) => rows.length === 0}
      empty={<EmptyNote title="No unfilled requests found" why="Every request in this period got an ad." />}
    >
      {(rows) => (
        <ShareRows
          rows={rows.map((row) => ({
            id: row.reason,
            name: row.text,
            figure: formatPercent(row.share),
            exact: `${formatCountExact(row.requests)} requests`,
            percent: row.share,
          }))}
        />
      )}
    </LoadedBlock>
  );
}

/** The number of unfilled requests. An increase is neither good nor bad, so it has no colour. */
function Unfilled({ rows, scope }: { rows: Reasons; scope: AppScope }) {
  const earlier = usePart("why_no_ad", previousScope(scope), { enabled: hasPrevious(scope) }).data;
  const change = earlier ? formatChange(sum(rows), sum(earlier)) : null;
  const { days, partial } = againstOf(scope);
  return (
    <>
      {formatCount(sum(rows))} unfilled requests{" "}
      {change === null ? null : <Change text={change} against={days} soFar={partial} neutral />}
    </>
  );
}

const sum = (rows: Reasons) => rows.reduce((total, row) => total + row.requests, 0);
