import { loadingText } from "@millrace/contract";
import { formatCount, formatCountExact, formatPercent } from "@millrace/units";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Scope, usePart } from "../api.ts";
import { ShareRows } from "./share-rows.tsx";

/** Why requests were answered without an ad. */
export function WhyNoAd({ scope }: { scope: Scope }) {
  const reasons = usePart("why_no_ad", scope);
  return (
    <LoadedBlock
      title="Why no ad?"
      aside={(rows) => (rows ? `${formatCount(sum(rows))} unfilled requests` : undefined)}
      query={reasons}
      loading={loadingText("reasons")}
      skeleton={<RowsSkeleton rows={6} height={33} />}
      isEmpty={(rows) => rows.length === 0}
      empty={<EmptyNote title="No unfilled requests found" why="No request of these days went without an ad." />}
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

const sum = (rows: readonly { requests: number }[]) => rows.reduce((total, row) => total + row.requests, 0);
