import { z } from "zod";
import { countColumn, defineStat } from "../../platform/clickhouse/define-stat.ts";
import { OF_APPS, OF_COUNTRIES, OF_DAYS, ScopeParams } from "./scope.ts";

/**
 * Which SDK versions began sessions, of those that have shown an ad: a session names any version its sender makes up. A session has no provider and no format, so those filters do not
 * narrow it.
 */
export const sdkVersions = defineStat({
  name: "sdk-versions",
  sql: `
SELECT sdk_version AS version, sum(sdk_daily.sessions) AS sessions
FROM sdk_daily
WHERE ${OF_APPS} AND ${OF_DAYS} AND ${OF_COUNTRIES}
  AND (app_id, sdk_version) IN (SELECT app_id, sdk_version FROM shown_sdk_versions WHERE ${OF_APPS})
GROUP BY version
ORDER BY sessions DESC, version`,
  params: ScopeParams,
  row: z.object({ version: z.string(), sessions: countColumn }),
});
