import { z } from "zod";
import { countColumn, defineStat } from "../../platform/clickhouse/define-stat.ts";
import { OF_APPS, OF_COUNTRIES, OF_DAYS, OF_FORMATS, ScopeParams } from "./scope.ts";

/** Why requests got no ad. There was no provider to filter by. */
export const noAdReasons = defineStat({
  name: "no-ad-reasons",
  sql: `
SELECT no_ad AS reason, sum(no_ad_daily.requests) AS requests
FROM no_ad_daily
WHERE ${OF_APPS} AND ${OF_DAYS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}
GROUP BY reason
ORDER BY requests DESC, reason`,
  params: ScopeParams,
  row: z.object({ reason: z.string(), requests: countColumn }),
});
