import { z } from "zod";
import { countColumn, defineStat } from "../../platform/clickhouse/define-stat.ts";
import {
  OF_APPS,
  OF_COUNTRIES,
  OF_DAYS,
  OF_FORMATS,
  OF_PART_DAY,
  OF_PROVIDERS,
  PartDayParams,
  ScopeParams,
} from "./scope.ts";

/** A count of something by its key. */
const CountRow = z.object({ id: z.string(), count: countColumn });

/** A session may name any version its sender makes up. */
const SHOWN = `(app_id, sdk_version) IN (SELECT app_id, sdk_version FROM shown_sdk_versions WHERE ${OF_APPS})`;

/** Sessions by SDK version, for versions that have shown an ad. Sessions have no provider or format, so those filters do not apply. */
export const sdkVersions = {
  ofDays: defineStat({
    name: "sdk-versions",
    sql: `
SELECT sdk_version AS id, sum(sdk_daily.sessions) AS count
FROM sdk_daily
WHERE ${OF_APPS} AND ${OF_DAYS} AND ${OF_COUNTRIES} AND ${SHOWN}
GROUP BY id
ORDER BY count DESC, id`,
    params: ScopeParams,
    row: CountRow,
  }),
  ofPartDay: defineStat({
    name: "sdk-versions-of-part-day",
    sql: `
SELECT sdk_version AS id, count() AS count
FROM events
WHERE ${OF_APPS} AND ${OF_PART_DAY} AND kind = 'session' AND invalid = '' AND ${OF_COUNTRIES} AND ${SHOWN}
GROUP BY id`,
    params: PartDayParams,
    row: CountRow,
  }),
};

/** Requests without an ad by reason. They have no provider, so that filter does not apply. */
export const noAdReasons = {
  ofDays: defineStat({
    name: "no-ad-reasons",
    sql: `
SELECT no_ad AS id, sum(no_ad_daily.requests) AS count
FROM no_ad_daily
WHERE ${OF_APPS} AND ${OF_DAYS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}
GROUP BY id
ORDER BY count DESC, id`,
    params: ScopeParams,
    row: CountRow,
  }),
  ofPartDay: defineStat({
    name: "no-ad-reasons-of-part-day",
    sql: `
SELECT no_ad AS id, count() AS count
FROM auctions
WHERE ${OF_APPS} AND ${OF_PART_DAY} AND no_ad != '' AND ${OF_FORMATS} AND ${OF_COUNTRIES}
GROUP BY id`,
    params: PartDayParams,
    row: CountRow,
  }),
};
/** A list of counts, from daily sums, and for a part of a day from raw rows. */
export type CountList = typeof noAdReasons;

/** Impressions and clicks that were not counted, by reason. */
export const notCounted = defineStat({
  name: "not-counted-by-reason",
  sql: `
SELECT
    reason,
    sum(not_counted_daily.impressions) AS impressions,
    sum(not_counted_daily.clicks) AS clicks
FROM not_counted_daily
WHERE ${OF_APPS} AND ${OF_DAYS} AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}
GROUP BY reason
ORDER BY impressions + clicks DESC, reason`,
  params: ScopeParams,
  row: z.object({ reason: z.string(), impressions: countColumn, clicks: countColumn }),
});

/** The first day of each app with anything that counts, as a subquery of `app_id` and `since`. */
export const COUNTED_SINCE = `(
    SELECT app_id, min(day) AS since
    FROM sums_daily
    WHERE ${OF_APPS} AND dimension = 'total' AND (requests > 0 OR impressions > 0 OR clicks > 0 OR sessions > 0)
    GROUP BY app_id
)`;

export const firstDays = defineStat({
  name: "first-days",
  sql: `SELECT app_id AS appId, toString(since) AS day FROM ${COUNTED_SINCE} ORDER BY appId`,
  params: z.object({ appIds: z.array(z.int()) }),
  row: z.object({ appId: z.int(), day: z.iso.date() }),
});

/** The first day of each SDK version that has shown an ad. */
export const firstDaysOfSdks = defineStat({
  name: "first-days-of-sdks",
  sql: `
SELECT app_id AS appId, sdk_version AS version, toString(min(sdk_daily.day)) AS day
FROM sdk_daily
WHERE ${OF_APPS} AND (app_id, sdk_version) IN (SELECT app_id, sdk_version FROM shown_sdk_versions WHERE ${OF_APPS})
GROUP BY appId, version
ORDER BY day, appId, version`,
  params: z.object({ appIds: z.array(z.int()) }),
  row: z.object({ appId: z.int(), version: z.string(), day: z.iso.date() }),
});

/** The countries that the apps have been used in. */
export const seenCountries = defineStat({
  name: "seen-countries",
  sql: `
SELECT DISTINCT key AS code
FROM sums_daily
WHERE ${OF_APPS} AND dimension = 'country' AND (requests > 0 OR sessions > 0)
ORDER BY code`,
  params: z.object({ appIds: z.array(z.int()) }),
  row: z.object({ code: z.string() }),
});
