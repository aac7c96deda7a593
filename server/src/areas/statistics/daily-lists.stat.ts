import { z } from "zod";
import { countColumn, defineStat } from "../../platform/clickhouse/define-stat.ts";
import { OF_APPS, OF_COUNTRIES, OF_DAYS, OF_FORMATS, OF_PROVIDERS, ScopeParams } from "./scope.ts";

/**
 * Sessions by SDK version, for versions that have shown an ad: a session may name any version its sender makes up.
 * Sessions have no provider or format, so those filters do not apply.
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

/** Requests without an ad by reason. They have no provider, so that filter does not apply. */
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

/** The first day of each app with anything that counts. */
export const firstDays = defineStat({
  name: "first-days",
  sql: `
SELECT app_id AS appId, toString(min(day)) AS day
FROM sums_daily
WHERE ${OF_APPS} AND dimension = 'total' AND (requests > 0 OR impressions > 0 OR clicks > 0 OR sessions > 0)
GROUP BY appId
ORDER BY appId`,
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
