import { FORMATS } from "@millrace/contract";
import { OUTCOMES } from "../population.ts";
import { idList, list, once, type PastCampaign, RANDOM, type RowRules, text } from "./row-sql.ts";

/** A map from format to its number, read as `m[format]`. */
const byFormat = (what: "shown" | "clicked") =>
  `map(${FORMATS.map((format) => `${text(format)}, ${OUTCOMES[format][what]}`).join(", ")})`;

/** The appeal of a row's creative; 1 of partners' ads. */
function appealOf(campaigns: readonly PastCampaign[]): string {
  const creatives = campaigns.flatMap((campaign) => campaign.creatives.flat());
  if (creatives.length === 0) return "1.";
  return `transform(creative_id, ${idList(creatives)}, [${creatives.map(({ appeal }) => appeal.toFixed(2)).join(", ")}], 1.)`;
}

/** Rows of `events` for the outcomes of the days' auctions: impressions and clicks. Run it after the other two statements. */
export const outcomeRows = ({ plan, until, revenueSharePpm, campaigns }: RowRules, token: string): string => `
INSERT INTO events (at, kind, event_id, auction_id, imp_id, app_id, zone, format, country, platform, provider, sdk_version, device,
  revenue_micros, cost_micros, gross_micros, first_day, seconds, invalid, campaign_id, creative_id, arm, demo, stored_at)
${once(token)}
WITH
  ${RANDOM},
  ${byFormat("shown")} AS shown,
  ${byFormat("clicked")} AS clicked,
  served AS (
    SELECT *, toFloat64(at) AS asked_at, toFloat64(toUnixTimestamp(toStartOfDay(at, 'UTC'))) + 86400 AS day_end FROM auctions
    WHERE demo = 1 AND winner != '' AND app_id IN ${list(plan.apps.map(({ id }) => id))}
      AND at >= toDateTime64(${plan.from}, 3, 'UTC') AND at < toDateTime64(${Math.min(plan.to, until)}, 3, 'UTC')
      AND uniform(auction_id, 'shown') < shown[format]
  ),
  -- Auctions have neither a first day nor an SDK version, so they are taken from the device's sessions.
  installed AS (
    SELECT app_id, device, any(events.first_day) AS first_day, any(events.sdk_version) AS sdk_version FROM events
    WHERE kind = 'session' AND demo = 1 AND app_id IN ${list(plan.apps.map(({ id }) => id))}
      AND at >= toDateTime64(${plan.from}, 3, 'UTC') AND at < toDateTime64(${Math.min(plan.to, until)}, 3, 'UTC')
    GROUP BY app_id, device
  )
SELECT
  toDateTime64(least(asked_at + 0.4 + 2 * uniform(auction_id, 'delay')
    + if(kind = 'click', 1 + 6 * uniform(auction_id, 'click'), 0), day_end - 0.001), 3, 'UTC') AS at,
  arrayJoin(if(uniform(auction_id, 'clicked') < clicked[format] * ${appealOf(campaigns)}, ['impression', 'click'], ['impression'])) AS kind,
  concat(substring(kind, 1, 1), hex(cityHash64(auction_id))),
  auction_id, imp_id, app_id, zone, format, country, platform, winner, sdk_version, device,
  if(kind = 'impression', toInt64(intDiv(intDiv(price_micros + 500, 1000) * ${revenueSharePpm} + 500000, 1000000)), 0),
  if(kind = 'impression' AND campaign_id != 0, toInt64(intDiv(price_micros + 500, 1000)), 0),
  if(kind = 'impression', toInt64(intDiv(price_micros + 500, 1000)), 0),
  first_day, 0, '', campaign_id, creative_id, arm, 1,
  -- Webhooks tell of what is stored from now on, and history is over.
  at
FROM served LEFT ANY JOIN installed USING (app_id, device)
WHERE at < toDateTime64(${until}, 3, 'UTC')`;

/** The share of clicks on campaigns' ads, including cross promotions, that lead to an install within the hour. */
const CONVERTED = 0.3;

/** Rows of `conversions` for the clicks on campaigns' ads. Run it after the other statements. */
export const conversionRows = ({ plan, until }: RowRules, token: string): string => `
INSERT INTO conversions (at, event_id, campaign_id, creative_id, arm, app_id, format, country, platform, event, kind, is_goal,
  ad_at, demo)
${once(token)}
WITH
  ${RANDOM},
  clicks AS (
    SELECT *, toDateTime64(toFloat64(at) + 20 + 3000 * uniform(auction_id, 'install'), 3, 'UTC') AS installed FROM events
    WHERE demo = 1 AND kind = 'click' AND campaign_id != 0 AND app_id IN ${list(plan.apps.map(({ id }) => id))}
      AND at >= toDateTime64(${plan.from}, 3, 'UTC') AND at < toDateTime64(${Math.min(plan.to, until)}, 3, 'UTC')
      AND uniform(auction_id, 'converted') < ${CONVERTED}
  )
SELECT installed, concat(event_id, ' install '), campaign_id, creative_id, arm, app_id, format, country, platform, 'install', 'click', 1,
  clicks.at, 1
FROM clicks
WHERE installed < toDateTime64(${until}, 3, 'UTC')`;
