import { TEXTS, loadingText } from "@millrace/contract";
import { formatCountExact, formatShare } from "@millrace/units";
import { RankRows } from "../../../ui/ranks/rank-rows.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { usePart } from "../api.ts";
import type { AppScope } from "../scope.ts";

/** The share of sessions by SDK version. */
export function SdkShares({ scope }: { scope: AppScope }) {
  const versions = usePart("sdk_versions", scope);
  return (
    <Loaded
      query={versions}
      loading={loadingText("SDK versions")}
      skeleton={<RowsSkeleton rows={3} height={31} />}
      isEmpty={(rows) => rows.length === 0}
      empty={
        <EmptyNote
          title={TEXTS.noSdkVersions}
          why="No session in this period reported a version. Versions appear when an app with the SDK is started."
        />
      }
    >
      {(rows) => (
        <RankRows
          label="Sessions by SDK version"
          rows={rows.map(({ version, sessions, share }) => ({
            id: version,
            name: version,
            figure: formatShare(share),
            exact: `${version}: ${formatCountExact(sessions)} sessions`,
            percent: share,
          }))}
        />
      )}
    </Loaded>
  );
}
