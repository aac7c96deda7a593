import { CAMPAIGN_PROVIDER, type Format, FORMATS, INHOUSE_PROVIDER } from "@millrace/contract";
import { ANSWER_WITHIN_MS, answerShares, DEMO_BIDDERS } from "../lab/partners.ts";
import { UNTRACKED } from "../market.ts";
import { SDK_RELEASES, UPDATE_DAYS } from "../population.ts";
import { drawnFloor } from "./automatic-floors.ts";
import { type DaysPlan, PLAN_TYPE } from "./plan-days.ts";

/**
 * The SQL that turns a plan into rows inside the analytical store, which is several times cheaper than inserting generated
 * rows. Every random number is a hash of the seed and its purpose, so the same seed gives the same rows.
 */
export interface RowRules {
  seed: string;
  plan: DaysPlan;
  /** Epoch seconds with milliseconds. All rows are before this moment, when live traffic begins. */
  until: number;
  /** The publisher's share of the price, in millionths. */
  revenueSharePpm: number;
  /** They bid without being asked, on phones and tablets. */
  campaigns: readonly PastCampaign[];
  inhouse: readonly PastInhouse[];
}

/** A campaign that delivered in history, at one price and without caps. */
export interface PastCampaign {
  id: number;
  /** What it buys: `banner`, or formats that fill the screen. */
  formats: readonly Format[];
  cpm: number;
  /** Epoch seconds. */
  startsAt: number;
  countries: readonly string[];
  /** The creatives for phones and those for tablets; full screens fit both. Each of several is shown equally often. */
  creatives: readonly [phones: readonly PastCreative[], tablets: readonly PastCreative[]];
}

/** A cross promotion that was shown in history. Nobody pays for it. */
export interface PastInhouse {
  id: number;
  formats: readonly Format[];
  /** The price at which it competes; 0 if it fills what nobody bought. */
  cpm: number;
  /** Epoch seconds. */
  startsAt: number;
  /** The ids of the apps that show it. */
  appIds: readonly number[];
}

export interface PastCreative {
  id: number;
  /** Its click rate relative to others of its format. */
  appeal: number;
}

/** Tablets among devices with banners. */
const TABLETS = 0.12;

export const text = (value: string): string => `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
export const list = (values: readonly (string | number)[]): string =>
  `[${values.map((value) => (typeof value === "number" ? value : text(value))).join(", ")}]`;

const SHARES = DEMO_BIDDERS.map(answerShares);
/** The time after which the exchange stops waiting. */
const WAITED_MS = 90;

/** Rows of a block between the steps of a statement: few enough for a processor's cache. */
const BLOCK_ROWS = 8192;

/** A statement that is sent twice counts once, also in the rollups. It runs on one thread, so that rows have one order and others get CPU. */
export const once = (token: string) =>
  `SETTINGS insert_deduplication_token = ${text(token)}, deduplicate_blocks_in_dependent_materialized_views = 1,
    max_threads = 1, max_block_size = ${BLOCK_ROWS}`;

/** The campaigns, the highest bid first. */
const campaignList = (campaigns: readonly PastCampaign[]): string => {
  const rows = campaigns
    .toSorted((a, b) => b.cpm - a.cpm)
    .map(
      ({ id, formats, cpm, startsAt, countries, creatives }) =>
        `(${id}, ${list(formats)}, ${cpm}, ${startsAt}, ${list(countries)}, [${creatives.map(idList).join(", ")}])`,
    );
  return `CAST([${rows.join(", ")}], 'Array(Tuple(id UInt32, formats Array(String), cpm Float64, starts Float64, countries Array(String), creatives Array(Array(UInt32))))')`;
};
/** The cross promotions, the highest price first. */
const inhouseList = (inhouse: readonly PastInhouse[]): string => {
  const rows = inhouse
    .toSorted((a, b) => b.cpm - a.cpm)
    .map(({ id, formats, cpm, startsAt, appIds }) => `(${id}, ${list(formats)}, ${cpm}, ${startsAt}, ${list(appIds)})`);
  return `CAST([${rows.join(", ")}], 'Array(Tuple(id UInt32, formats Array(String), cpm Float64, starts Float64, apps Array(UInt32)))')`;
};
export const idList = (creatives: readonly PastCreative[]): string => list(creatives.map(({ id }) => id));

/** Lambdas: a uniform number in [0, 1), and an approximately normal one (the scaled sum of four uniform ones). */
export const RANDOM = `
  (key, salt) -> cityHash64(key, salt) / 18446744073709551616 AS uniform,
  (bits) -> (bitAnd(bits, 65535) + bitAnd(bitShiftRight(bits, 16), 65535) + bitAnd(bitShiftRight(bits, 32), 65535)
    + bitShiftRight(bits, 48)) / 65536 * 1.7320508 - 3.4641016 AS normal,
  -- Times after midnight are mirrored, so that a day's rows stay in the day.
  (second, day_end) -> if(second >= day_end, 2 * day_end - second - 0.001, second) AS in_day`;

/**
 * All sessions of the days, with the columns that their rows share. Where rows multiply, the clause ARRAY JOIN keeps blocks small;
 * the function arrayJoin would make one block of all rows, which takes five times as long.
 */
const sessions = ({ seed, plan }: RowRules) => `
  ${RANDOM},
  ${text(seed)} AS seed,
  [${SDK_RELEASES.map(({ version, day }) => `(${text(version)}, ${plan.last_day + day})`).join(", ")}] AS releases,
  -- A query's value has a short name in the store. A constant's name is its text, in the name of each expression of it.
  apps AS (SELECT arrayJoin((SELECT JSONExtract(${text(JSON.stringify(plan.apps))}, '${PLAN_TYPE}'))) AS app),
  places AS (SELECT app, arrayJoin(app.countries) AS place FROM apps),
  days AS (SELECT app, place, arrayJoin(place.days) AS d FROM places),
  hours AS (SELECT app, place, d.start AS day_start, intDiv(d.start, 86400) AS day, d.growth AS growth, d.sessions AS counts,
    arrayJoin(range(24)) AS hour FROM days),
  begun AS (
    SELECT app, place, day, day_start, growth, hour, cityHash64(seed, app.slug, day, place.country, hour, nth) AS session
    FROM hours ARRAY JOIN range(counts[hour + 1]) AS nth
  ),
  starts AS (
    SELECT app, place, day, day_start + 86400. AS day_end, session,
      app.ages[1 + toUInt32(floor(uniform(session, 'age') * length(app.ages)))] AS age,
      -- Devices of one age are numbered. Those with low numbers stay longest.
      cityHash64(seed, app.slug, place.country, day - age,
        floor(uniform(session, 'device') * greatest(1, round(app.devices[age + 1] * growth * place.share)))) AS device,
      day_start + 3600 * (hour + uniform(session, 'second')) AS began,
      toUInt32(least(1800, greatest(8, app.seconds * exp(0.8 * normal(cityHash64(session, 'seconds')))))) AS seconds
    FROM begun
  )`;

/** Rows of `auctions`: every session requests ads, and the lab's bidders bid by their rules. */
export const auctionRows = (rules: RowRules, token: string): string => `
INSERT INTO auctions (at, auction_id, imp_id, app_id, zone, format, country, platform, device, asked, outcomes,
  latencies_ms, bids_micros, winner, price_micros, no_ad, duration_ms, floor_micros, os_major, connection,
  campaign_platform, sizes, campaign_id, creative_id, arm, demo, floor_arm, floor_step, floor_probability, expected_micros)
${once(token)}
WITH ${sessions(rules)},
  ${list(DEMO_BIDDERS.map(({ id }) => id))} AS names,
  ${list(DEMO_BIDDERS.map(({ priceFactor }) => priceFactor))} AS factors,
  ${list(DEMO_BIDDERS.map(({ sigma }) => sigma))} AS sigmas,
  ${list(SHARES.map(({ bid }) => bid))} AS bid_shares,
  ${list(SHARES.map(({ timeout }) => timeout))} AS late_shares,
  ${list(SHARES.map(({ error }) => error))} AS error_shares,
  ${list(DEMO_BIDDERS.map(({ outage }) => (outage ? "http_error" : "malformed_response")))} AS errors,
  ${list(DEMO_BIDDERS.map(({ latency }) => latency.medianMs))} AS latency_medians,
  ${list(DEMO_BIDDERS.map(({ latency }) => latency.sigma))} AS latency_sigmas,
  map(${FORMATS.map((format) => `${text(format)}, ${list(DEMO_BIDDERS.map(({ worth }) => worth?.[format] ?? 1))}`).join(", ")}) AS worths,
  ${list(DEMO_BIDDERS.map(({ ignoresFloor }) => (ignoresFloor === true ? 1 : 0)))} AS ignores_floor,
  ${campaignList(rules.campaigns)} AS campaigns,
  ${inhouseList(rules.inhouse)} AS inhouse,
  -- In steps, because within one the store writes out every name that an expression uses, and theirs. Analysing a single step
  -- takes seconds.
  turns AS (
    SELECT *, turn
    FROM (
      SELECT *, zone_number, toUInt32(floor(app.zones[zone_number].per_session + uniform(session, zone_number))) AS turn_count
      FROM starts ARRAY JOIN arrayEnumerate(app.zones) AS zone_number
    )
    ARRAY JOIN range(turn_count) AS turn
  ),
  requested AS (SELECT *, cityHash64(session, zone_number, turn) AS request FROM turns),
  priced AS (
    SELECT *, uniform(device, 'untracked') < app.untracked AS untracked,
      if(untracked, ${UNTRACKED.appetite}, 1.) AS appetite,
      place.cpm[zone_number] * if(untracked, ${UNTRACKED.priceFactor}, 1.) AS cpm,
      place.wanted[zone_number] AS wanted,
      place.asked[zone_number] AS asked,
      multiIf(app.platform = 'android', 'android', app.platform = 'ios', 'iphone', '') AS campaign_platform,
      app.zones[zone_number].format AS format,
      uniform(device, 'shape') < ${TABLETS} AS is_tablet,
      ${drawnFloor(rules.plan.last_day)}
    FROM requested
  ),
  valuations AS (
    SELECT *, arrayMap(bidder -> if(uniform(request, bidder) < bid_shares[bidder] * appetite,
        cpm * factors[bidder] * exp(sigmas[bidder] * normal(intHash64(request + bidder))), 0), wanted) AS valued
    FROM priced
  ),
  offers AS (
    SELECT *,
      -- Up to what the ad is worth to them, some bid the floor.
      arrayMap((bid, bidder) -> if(bid < least_cpm AND bid * worths[format][bidder] >= least_cpm, least_cpm, bid), valued, wanted) AS bids,
      arrayFirst(one -> campaign_platform != '' AND has(one.formats, format) AND one.cpm >= least_cpm
        AND began >= one.starts AND has(one.countries, place.country) AND notEmpty(one.creatives[1 + is_tablet]),
        campaigns) AS campaign,
      arrayFilter(one -> has(one.formats, format) AND has(one.apps, app.id) AND began >= one.starts, inhouse) AS promotions
    FROM valuations
  ),
  bests AS (SELECT *, arrayMax(bids) AS best, campaign.creatives[1 + is_tablet] AS fitting FROM offers),
  buyers AS (SELECT *, greatest(campaign.cpm, if(best >= least_cpm, best, 0)) AS bought FROM bests),
  promoted AS (
    SELECT *,
      -- One that competes beats lower bids. Of the others, one fills what nobody bought.
      arrayFirst(one -> if(one.cpm > 0, one.cpm >= least_cpm AND one.cpm > bought, bought = 0), promotions) AS promotion
    FROM buyers
  ),
  decided AS (
    SELECT *, promotion.id != 0 AS is_own, NOT is_own AND campaign.cpm > best AS is_campaigns, is_own OR bought > 0 AS sold
    FROM promoted
  ),
  reasons AS (
    SELECT *,
      -- Most bidders do not bid below the floor. Only those that ignore it cause no_bid_above_floor.
      multiIf(sold, '', arrayExists((bid, bidder) -> bid > 0 AND ignores_floor[bidder] = 1, bids, wanted), 'no_bid_above_floor',
        uniform(request, 'why') < 0.07, 'timeout',
        uniform(request, 'why') < 0.1, 'invalid_bids', uniform(request, 'why') < 0.115, 'partner_errors', 'no_demand') AS no_ad,
      arrayMap(bidder -> bids[indexOf(wanted, bidder)], asked) AS drawn,
      -- Of the answers without a bid, some are late and some are errors.
      arrayMap(bidder -> uniform(intHash64(request + bidder), 'answer')
        * (1 - if(has(wanted, bidder), bid_shares[bidder] * appetite, 0)), asked) AS fates
    FROM decided
  ),
  answers AS (
    SELECT *,
      arrayMap((bidder, bid, fate, number) -> multiIf(
        no_ad = 'timeout', 'timeout', no_ad = 'partner_errors', 'http_error', no_ad = 'invalid_bids' AND number = 1, 'bid',
        bid > 0, if(bid >= least_cpm OR ignores_floor[bidder] = 1, 'bid', 'no_bid'),
        fate < late_shares[bidder], 'timeout', fate < late_shares[bidder] + error_shares[bidder], errors[bidder], 'no_bid'),
        asked, drawn, fates, arrayEnumerate(asked)) AS outcomes
    FROM reasons
  ),
  requests AS (
    SELECT *, arrayMap((bidder, outcome) -> toFloat32(if(outcome = 'timeout', ${WAITED_MS}, least(${ANSWER_WITHIN_MS},
        latency_medians[bidder] * exp(latency_sigmas[bidder] * normal(cityHash64(request, bidder, 'latency')))))),
        asked, outcomes) AS latencies
    FROM answers
  )
SELECT
  toDateTime64(in_day(began + seconds * uniform(request, 'second'), day_end), 3, 'UTC') AS at,
  -- A version 4 UUID, with the standard's version and variant bits.
  reinterpret(bitOr(bitShiftLeft(toUInt128(bitOr(bitAnd(cityHash64(request, 'low'), 0x3fffffffffffffff), 0x8000000000000000)), 64),
    toUInt128(bitOr(bitAnd(cityHash64(request, 'high'), 0xffffffffffff0fff), 0x4000))), 'UUID') AS auction_id,
  '1', app.id AS app_id, app.zones[zone_number].zone, format, place.country, app.platform, device,
  arrayConcat(arrayMap(bidder -> names[bidder], asked), if(campaign.id != 0, [${text(CAMPAIGN_PROVIDER.id)}], [])),
  arrayConcat(outcomes, if(campaign.id != 0, ['bid'], [])),
  arrayConcat(latencies, if(campaign.id != 0, [toFloat32(0)], [])),
  arrayConcat(
    arrayMap((bid, outcome) -> toInt64(if(outcome = 'bid', round(if(bid > 0, bid, cpm) * 1e6), 0)), drawn, outcomes),
    if(campaign.id != 0, [toInt64(round(campaign.cpm * 1e6))], [])),
  multiIf(is_own, ${text(INHOUSE_PROVIDER.id)}, is_campaigns, ${text(CAMPAIGN_PROVIDER.id)}, sold, names[wanted[indexOf(bids, best)]], ''),
  if(sold AND NOT is_own, toInt64(round(if(is_campaigns, campaign.cpm, best) * 1e6)), 0),
  no_ad,
  -- An auction ends with the last answer.
  toFloat32(arrayMax(latencies) + 0.8 + 1.6 * uniform(request, 'took')),
  toInt64(round(least_cpm * 1e6)),
  -- Android 11 to 16, iOS 17 to 26.
  multiIf(app.platform = 'android', 11 + floor(6 * uniform(device, 'system')),
    app.platform = 'ios', if(uniform(device, 'system') < 0.5, 26, 17 + floor(4 * uniform(device, 'system'))), 0),
  if(uniform(session, 'connection') < 0.7, 'wifi', 'cellular'),
  if(campaign_platform = 'iphone' AND format = 'banner' AND is_tablet, 'ipad', campaign_platform),
  if(format = 'banner', [if(is_tablet, '728x90', '320x50')], []),
  multiIf(is_own, promotion.id, is_campaigns, campaign.id, 0),
  if(is_campaigns, fitting[1 + cityHash64(request, 'creative') % greatest(1, length(fitting))], 0),
  if(is_campaigns AND length(fitting) > 1, 'even', ''),
  1, floor_arm, floor_step, floor_probability, if(is_own, toInt64(round(promotion.cpm * 1e6)), 0)
FROM requests
WHERE at < toDateTime64(${rules.until}, 3, 'UTC')`;

/** Rows of `events` for the sessions. Each has the whole duration, instead of spreading it over pings. */
export const sessionRows = (rules: RowRules, token: string): string => `
INSERT INTO events (at, kind, event_id, auction_id, app_id, zone, format, country, platform, provider, sdk_version, device,
  revenue_micros, cost_micros, first_day, seconds, invalid, demo, stored_at)
${once(token)}
WITH ${sessions(rules)}
SELECT
  toDateTime64(began, 3, 'UTC') AS at, 'session', concat('s', hex(session)), toUUID('00000000-0000-0000-0000-000000000000'),
  app.id AS app_id, '', '', place.country, app.platform, '',
  -- A device updates to a release some time after it is published.
  releases[greatest(1, arrayLastIndex(
    release -> release.2 - ${UPDATE_DAYS} * log(1 - uniform(device, release.1)) <= day, releases))].1,
  device, 0, 0, toDate(toUInt16(day - age)), seconds, '', 1, at
FROM starts
WHERE at < toDateTime64(${rules.until}, 3, 'UTC')`;
