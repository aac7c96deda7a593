import { defineStat } from "../../platform/clickhouse/define-stat.ts";
import { OF_APPS, OF_COUNTRIES, OF_FORMATS, OF_MOMENTS, OF_PROVIDERS, type Scope, ScopeParams } from "./scope.ts";
import { UniquesRow } from "./uniques.stat.ts";

const OF_ALL = `${OF_APPS} AND ${OF_MOMENTS} AND ${OF_COUNTRIES}`;
const ASKED = `SELECT at, device FROM auctions WHERE ${OF_ALL} AND ${OF_FORMATS}`;
const BEGAN = `SELECT at, device FROM events WHERE ${OF_ALL} AND kind = 'session' AND invalid = ''`;
const SAW = `SELECT at, device FROM events WHERE ${OF_ALL} AND ${OF_FORMATS} AND ${OF_PROVIDERS} AND kind = 'impression' AND invalid = ''`;

const uniquesOf = (whom: string, rows: string) =>
  defineStat({
    name: `uniques-by-hour-of-${whom}`,
    sql: `
SELECT formatDateTime(toStartOfHour(at, 'UTC') AS hour, '%Y-%m-%dT%H:00:00Z', 'UTC') AS id, uniqExact(device) AS uniques
FROM (${rows})
GROUP BY hour
ORDER BY id`,
    params: ScopeParams,
    row: UniquesRow,
  });

const everybody = uniquesOf("everybody", `${ASKED} UNION ALL ${BEGAN}`);
const asked = uniquesOf("those-who-asked", ASKED);
const viewers = uniquesOf("viewers", SAW);

/** Devices by hour, from the raw rows: as they lie by app and time, two days of one app are a short read. */
export function hourlyUniques({ providers, formats }: Pick<Scope, "providers" | "formats">) {
  if (providers.length > 0) return viewers;
  return formats.length > 0 ? asked : everybody;
}
