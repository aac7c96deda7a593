import { daysIn } from "@millrace/units";
import { z } from "zod";
import { type Stat, countColumn, defineStat } from "../../platform/clickhouse/define-stat.ts";
import { BUCKET_COUNTS, type Reading, SAMPLES, type Sample } from "./sampling.ts";
import {
  OF_APPS,
  OF_COUNTRIES,
  OF_DAYS,
  OF_FORMATS,
  OF_PART_DAY,
  OF_PROVIDERS,
  OF_SPANS,
  PartDayParams,
  type Scope,
  bindScope,
  isCut,
} from "./scope.ts";
import { GROUPS, type SumsGroup } from "./sums.stat.ts";

export const UniquesRow = z.object({ id: z.string(), uniques: countColumn });

/** Devices of a group in its first 1, 2, 3, 5, … buckets (BUCKET_COUNTS), as far as they were read. */
const DevicesInBuckets = z.object({ id: z.string(), inBuckets: z.array(countColumn) });

/** Tables of devices, with their conditions. */
const TABLES = {
  /** Everybody, for many days. */
  span: { name: "devices_by_span", where: `${OF_SPANS} AND ${OF_COUNTRIES}` },
  /** Everybody, by day and by where an ad was asked for. */
  day: { name: "devices_daily", where: `${OF_DAYS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}` },
  viewer: { name: "viewers_daily", where: `${OF_DAYS} AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}` },
} as const;
type Table = keyof typeof TABLES;

/** Column types of the groups' keys, so that key lists use the primary index. */
const TYPES = {
  total: "String",
  app: "UInt32",
  date: "Date",
  country: "String",
  format: "String",
  provider: "String",
  zone: "String",
} satisfies Record<SumsGroup, string>;

/** Parameters with the groups of each sample, and the one with the groups that are read whole. */
const paramOf = (sample: Sample) => `sample${sample}` as const;
const WHOLE = "whole";
type ParamOfGroups = ReturnType<typeof paramOf> | typeof WHOLE;

const GroupIds = z.array(z.string()).optional();
/** A query binds only the ones it names. */
const UniquesParams = PartDayParams.partial({ from: true, fullHours: true, until: true }).extend(
  Object.fromEntries([...SAMPLES.map(paramOf), WHOLE].map((param) => [param, GroupIds])) as Record<
    ParamOfGroups,
    typeof GroupIds
  >,
);
type UniquesStat = Stat<typeof UniquesParams, typeof DevicesInBuckets>;

/** The buckets to read, as a condition. */
interface SampleBuckets {
  name: string;
  condition: string;
}

const ONE_BUCKET: SampleBuckets = { name: "in-one-bucket", condition: "lot = 0" };

/** Conditions are as short as possible: each is evaluated for every row. */
function bucketsOf(group: SumsGroup, samples: readonly Sample[], others: "whole" | "named"): SampleBuckets {
  const { column } = GROUPS[group];
  if (group === "total") {
    const [sample] = samples;
    return sample === undefined
      ? { name: "in-all-buckets", condition: "1" }
      : { name: `in-${sample}-buckets`, condition: `lot < ${sample}` };
  }
  const bound = (param: ParamOfGroups) => `CAST({${param}:Array(String)}, 'Array(${TYPES[group]})')`;
  const params = samples.map(paramOf);
  const rest =
    others === "named"
      ? `${column} IN ${bound(WHOLE)}`
      : samples.length === 0
        ? "1"
        : `${column} NOT IN arrayConcat(${params.map(bound).join(", ")})`;
  return {
    name: ["sampled", ...samples, others].join("-"),
    condition: [...samples.map((sample) => `(lot < ${sample} AND ${column} IN ${bound(paramOf(sample))})`), rest].join(
      " OR ",
    ),
  };
}

/** Each device lies in one bucket, so the counts of the buckets add up. */
const byBuckets = (key: string, column: string, from: string) => `
SELECT id, sumForEach(arrayMap(buckets -> if(lot < buckets, devices, 0), [${BUCKET_COUNTS.join(", ")}])) AS inBuckets
FROM (
    SELECT ${key} AS id, lot, uniqExact(device) AS devices
    FROM ${from}
    GROUP BY ${column || "id"}, lot
)
GROUP BY id
ORDER BY id`;

function uniquesBy(table: Table, group: SumsGroup, buckets: SampleBuckets): UniquesStat {
  const { name, where } = TABLES[table];
  const { key, has, column } = GROUPS[group];
  return defineStat({
    name: `uniques-by-${group}-of-${table}-${buckets.name}`,
    sql: byBuckets(
      key,
      column,
      `${name}
    WHERE ${OF_APPS} AND ${where} AND ${has} AND (${buckets.condition})`,
    ),
    params: UniquesParams,
    row: DevicesInBuckets,
  });
}

const BUCKET = "intHash64(device) % 64 AS lot";
/** Devices that were kept of a day by its hours, where raw rows are gone. A device in both counts once. */
const fromHours = (role: string) => (columns: string) =>
  `
    SELECT ${BUCKET}, ${columns}
    FROM devices_by_hours
    WHERE ${OF_APPS} AND day = toDate(toDateTime({from:UInt32}, 'UTC')) AND ${role} AND ${OF_FORMATS} AND ${OF_COUNTRIES}
        AND bitAnd(hours, bitShiftLeft(toUInt32(1), intDiv({fullHours:UInt32} - {from:UInt32}, 3600)) - 1) != 0`;
const fromRaw = (table: string, role: string) => (columns: string) =>
  `
    SELECT ${BUCKET}, ${columns}
    FROM ${table}
    WHERE ${OF_APPS} AND ${OF_PART_DAY}${role} AND ${OF_COUNTRIES}`;
const ASKED = fromRaw("auctions", ` AND ${OF_FORMATS}`);
const BEGAN = fromRaw("events", " AND kind = 'session' AND invalid = ''");
const SAW = fromRaw("events", ` AND kind = 'impression' AND invalid = '' AND ${OF_FORMATS} AND ${OF_PROVIDERS}`);

/** The devices of a part of a day, with their bucket. */
const PART_DAY = {
  span: [ASKED, BEGAN, fromHours("provider = ''")],
  /** With a filter by format: sessions have none. */
  day: [ASKED, BEGAN, fromHours("provider = ''")],
  viewer: [SAW, fromHours(`provider != '' AND ${OF_PROVIDERS}`)],
} as const satisfies Record<Table, readonly ((columns: string) => string)[]>;

/** The groups of which a part of a day has devices. */
type PartDayGroup = "total" | "country";
const isOfPartDay = (group: SumsGroup): group is PartDayGroup => group === "total" || group === "country";

/** Devices of whole days and of a part of the day after them, all together. */
function uniquesUntil(table: Table, group: PartDayGroup, hasFormats: boolean, buckets: SampleBuckets): UniquesStat {
  const { name, where } = TABLES[table];
  const { key, column } = GROUPS[group];
  const columns = ["device", ...(column === "" ? [] : [column])].join(", ");
  const parts = PART_DAY[table].filter((part) => !(hasFormats && part === BEGAN));
  const whole = `
    SELECT lot, ${columns}
    FROM ${name}
    WHERE ${OF_APPS} AND ${where}`;
  const rows = [whole, ...parts.map((part) => part(columns))].map((sql) => `${sql} AND (${buckets.condition})`);
  return defineStat({
    name: `uniques-by-${group}-until-of-${hasFormats ? "formats-of-" : ""}${table}-${buckets.name}`,
    sql: byBuckets(key, column, `(${rows.join("\n    UNION ALL")})`),
    params: UniquesParams,
    row: DevicesInBuckets,
  });
}

const cache = new Map<string, UniquesStat>();
function statOf(scope: Scope, group: SumsGroup, buckets: SampleBuckets): UniquesStat {
  const table = tableFor(scope, group);
  const hasFormats = scope.formats.length > 0;
  const key = `${table} ${group} ${buckets.name}${isCut(scope) ? ` until ${hasFormats}` : ""}`;
  const make = () => {
    if (!isCut(scope)) return uniquesBy(table, group, buckets);
    if (!isOfPartDay(group)) throw new Error(`devices of a part of a day are not counted by ${group}`);
    return uniquesUntil(table, group, hasFormats, buckets);
  };
  const stat = cache.get(key) ?? make();
  cache.set(key, stat);
  return stat;
}

/** A query with the values that it binds. */
export interface UniquesQuery {
  stat: UniquesStat;
  params: z.input<typeof UniquesParams>;
}

/** Devices of each group in one bucket. */
export const uniquesInOneBucket = (scope: Scope, group: SumsGroup): UniquesQuery => ({
  stat: statOf(scope, group, ONE_BUCKET),
  params: bindScope(scope),
});

/** Devices of each group in the buckets that its plan says. */
export function uniquesIn(scope: Scope, group: SumsGroup, { plan, others }: Reading): UniquesQuery {
  const samples = SAMPLES.filter((sample) => plan.has(sample));
  return {
    stat: statOf(scope, group, bucketsOf(group, samples, others === "whole" ? "whole" : "named")),
    params: {
      ...bindScope(scope),
      ...Object.fromEntries(samples.map((sample) => [paramOf(sample), [...(plan.get(sample) ?? [])]])),
      ...(others === "whole" ? {} : { [WHOLE]: [...others] }),
    },
  };
}

/** From this many days on, reading days outside the range costs less than reading a device once per day. */
const MANY_DAYS = 14;

/** The table in which the group's devices are counted. */
function tableFor({ providers, formats, range }: Scope, group: SumsGroup): Table {
  if (providers.length > 0 || group === "provider") return "viewer";
  if (formats.length > 0 || group === "format" || group === "zone" || group === "date") return "day";
  return daysIn(range) < MANY_DAYS ? "day" : "span";
}
