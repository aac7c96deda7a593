import { defineStat } from "../../platform/clickhouse/define-stat.ts";
import {
  OF_APPS,
  OF_COUNTRIES,
  OF_DAYS,
  OF_FORMATS,
  OF_MOMENTS,
  OF_PROVIDERS,
  type Scope,
  ScopeParams,
} from "./scope.ts";
import { UniquesRow } from "./uniques.stat.ts";

const OF_ALL = `${OF_APPS} AND ${OF_MOMENTS} AND ${OF_COUNTRIES}`;
const HOUR = "toStartOfHour(at, 'UTC') AS hour";
const ASKED = `SELECT ${HOUR}, device FROM auctions WHERE ${OF_ALL} AND ${OF_FORMATS}`;
const BEGAN = `SELECT ${HOUR}, device FROM events WHERE ${OF_ALL} AND kind = 'session' AND invalid = ''`;
const SAW = `SELECT ${HOUR}, device FROM events WHERE ${OF_ALL} AND ${OF_FORMATS} AND ${OF_PROVIDERS} AND kind = 'impression' AND invalid = ''`;

/** The same for days whose raw rows are gone. A device in both counts once. */
const kept = (role: string) => `
SELECT toDateTime(day, 'UTC') + 3600 * arrayJoin(bitPositionsToArray(hours)) AS hour, device
FROM devices_by_hours
WHERE ${OF_APPS} AND ${OF_DAYS} AND ${OF_COUNTRIES} AND ${role}`;

const uniquesOf = (whom: string, rows: string) =>
  defineStat({
    name: `uniques-by-hour-of-${whom}`,
    sql: `
SELECT formatDateTime(hour, '%Y-%m-%dT%H:00:00Z', 'UTC') AS id, uniqExact(device) AS uniques
FROM (${rows})
GROUP BY hour
ORDER BY id`,
    params: ScopeParams,
    row: UniquesRow,
  });

const everybody = uniquesOf("everybody", `${ASKED} UNION ALL ${BEGAN} UNION ALL ${kept("provider = ''")}`);
const asked = uniquesOf("those-who-asked", `${ASKED} UNION ALL ${kept(`provider = '' AND ${OF_FORMATS}`)}`);
const viewers = uniquesOf(
  "viewers",
  `${SAW} UNION ALL ${kept(`provider != '' AND ${OF_PROVIDERS} AND ${OF_FORMATS}`)}`,
);

/** Devices by hour, from the raw rows where they exist: sorted by app and time, two days of one app are a short read. */
export function hourlyUniques({ providers, formats }: Pick<Scope, "providers" | "formats">) {
  if (providers.length > 0) return viewers;
  return formats.length > 0 ? asked : everybody;
}
