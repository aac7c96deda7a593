import { TEXTS, loadingText } from "@millrace/contract";
import { formatCountExact, formatShare } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import { PATHS } from "../../../shared/paths.ts";
import { useMayUse } from "../../../shared/session.ts";
import { RankRows } from "../../../ui/ranks/rank-rows.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { usePart } from "../api.ts";
import type { AppScope } from "../scope.ts";
import { useAgainst } from "../use-compared.ts";
import classes from "./parts.module.css";
import { ShareChange } from "./why-no-ad.tsx";

/** The share of sessions by SDK version. A version leads to where another one is integrated: requests have none. */
export function SdkShares({ scope }: { scope: AppScope }) {
  const versions = usePart("sdk_versions", scope);
  const against = useAgainst(scope);
  const mayIntegrate = useMayUse()("instructions.read");
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
          rows={rows.map(({ version, sessions, share, last_sessions: before, last_share: beforeShare }) => ({
            id: version,
            name: !mayIntegrate ? (
              version
            ) : (
              <Link to={PATHS.appSettings} params={{ uuid: scope.uuid }} search={{}} className={classes.nameLink}>
                {version}
              </Link>
            ),
            figure: formatShare(share),
            exact: `${version}: ${formatCountExact(sessions)} ${sessions === 1 ? "session" : "sessions"}`,
            percent: share,
            ...(before === null || against === null
              ? {}
              : { change: <ShareChange share={share} before={beforeShare} against={against} /> }),
          }))}
        />
      )}
    </Loaded>
  );
}
