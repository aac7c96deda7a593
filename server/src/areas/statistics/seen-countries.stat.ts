import { z } from "zod";
import { defineStat } from "../../platform/clickhouse/define-stat.ts";
import { OF_APPS } from "./scope.ts";

/** Countries that these apps have been used in. */
export const seenCountries = defineStat({
  name: "seen-countries",
  sql: `
SELECT DISTINCT toString(country) AS code
FROM stats_daily
WHERE ${OF_APPS} AND (requests > 0 OR sessions > 0)
ORDER BY code`,
  params: z.object({ appIds: z.array(z.int()) }),
  row: z.object({ code: z.string() }),
});
