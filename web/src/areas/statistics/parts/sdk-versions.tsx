import { TEXTS, loadingText } from "@millrace/contract";
import { formatCount, formatCountExact, formatPercent } from "@millrace/units";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Scope, usePart } from "../api.ts";
import { ShareRows } from "./share-rows.tsx";

/** Which SDK the sessions ran on. */
export function SdkVersions({ scope }: { scope: Scope }) {
  const versions = usePart("sdk_versions", scope);
  return (
    <LoadedBlock
      title="SDK versions"
      aside={(rows) => (rows && rows.length > 0 ? `${formatCount(sum(rows))} sessions` : undefined)}
      query={versions}
      loading={loadingText("SDK versions")}
      skeleton={<RowsSkeleton rows={3} height={33} />}
      isEmpty={(rows) => rows.length === 0}
      empty={<EmptyNote title={TEXTS.noSdkVersions} why="No session started in these days." />}
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

const sum = (rows: readonly { sessions: number }[]) => rows.reduce((total, row) => total + row.sessions, 0);
