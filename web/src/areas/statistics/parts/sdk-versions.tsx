import { TEXTS, loadingText } from "@millrace/contract";
import { formatCount, formatCountExact, formatPercent } from "@millrace/units";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { usePart } from "../api.ts";
import type { AppScope } from "../scope.ts";
import { PeriodChange } from "./period-change.tsx";
import { ShareRows } from "./share-rows.tsx";

/** The share of sessions by SDK version. */
export function SdkVersions({ scope }: { scope: AppScope }) {
  const versions = usePart("sdk_versions", scope);
  const sessions = sum(versions.data ?? []);
  return (
    <LoadedBlock
      title="SDK versions"
      aside={sessions > 0 ? <Sessions count={sessions} scope={scope} /> : undefined}
      query={versions}
      loading={loadingText("SDK versions")}
      skeleton={<RowsSkeleton rows={3} height={33} />}
      isEmpty={(rows) => rows.length === 0}
      empty={
        <EmptyNote
          title={TEXTS.noSdkVersions}
          why="No session in this period reported a version. Versions appear when an app with the SDK is started."
        />
      }
    >
      {(rows) => (
        <ShareRows
          rows={rows.map((row) => ({
            id: row.version,
            name: row.version,
            figure: formatPercent(row.share),
            exact: `${formatCountExact(row.sessions)} sessions`,
            percent: row.share,
          }))}
        />
      )}
    </LoadedBlock>
  );
}

function Sessions({ count, scope }: { count: number; scope: AppScope }) {
  return (
    <>
      {formatCount(count)} sessions <PeriodChange scope={scope} figure="sessions" />
    </>
  );
}

const sum = (rows: readonly { sessions: number }[]) => rows.reduce((total, row) => total + row.sessions, 0);
