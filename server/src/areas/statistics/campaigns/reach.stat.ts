import { z } from "zod";
import { countColumn, defineStat } from "../../../platform/clickhouse/define-stat.ts";
import { OF_MOMENTS } from "../scope.ts";
import { FITS, FitParams, OF_ITS_FORMATS, OF_MARKET, TAKES_MEDIA, WINNING_PRICE } from "./campaign-fit.ts";

const Market = FitParams.pick({ formats: true, media: true, demo: true }).extend({
  ds: z.iso.date(),
  de: z.iso.date(),
});

/**
 * Auctions of a market by day; and of all auctions of its formats how many had an ad, and how many ads were shown. Events do not
 * tell the media of their auction, so both counts are of any.
 */
export const marketByDay = defineStat({
  name: "market-by-day",
  sql: `
SELECT day, sum(part.auctions) AS auctions, sum(part.answered) AS answered, sum(part.shown) AS shown
FROM
(
    SELECT toString(toDate(at, 'UTC')) AS day, countIf(${TAKES_MEDIA}) AS auctions, countIf(winner != '') AS answered, toUInt64(0) AS shown
    FROM auctions
    WHERE ${OF_MOMENTS} AND ${OF_ITS_FORMATS}
    GROUP BY day
    UNION ALL
    SELECT toString(toDate(at, 'UTC')) AS day, toUInt64(0) AS auctions, toUInt64(0) AS answered, count() AS shown
    FROM events
    WHERE ${OF_MOMENTS} AND ${OF_ITS_FORMATS} AND kind = 'impression' AND invalid = ''
    GROUP BY day
) AS part
GROUP BY day
ORDER BY day`,
  params: Market,
  row: z.object({ day: z.string(), auctions: countColumn, answered: countColumn, shown: countColumn }),
});

/** A campaign's price, which may be its own, need only be reached. */
const MUST_EXCEED = "toInt64(campaign_id = 0 OR expected_micros > 0)";

/**
 * What some bids would have won of the auctions that a campaign fits, by day: of one in so many devices, and of each no more
 * than the caps allow. A bid wins if it reaches the floor and exceeds the winner's price. The arrays are parallel to the bids.
 */
export const reachByDay = defineStat({
  name: "reach-by-day",
  sql: `
SELECT day, sum(device_auctions) AS matching, sumForEach(of_day) AS won, sumForEach(arrayMap(n -> toUInt64(n > 0), of_day)) AS devices
FROM
(
    SELECT
        day,
        sum(hour_auctions) AS device_auctions,
        arrayMap(n -> least(n, {userDayCap:UInt64}), sumForEach(of_hour)) AS of_day
    FROM
    (
        SELECT
            toString(toDate(at, 'UTC')) AS day,
            device,
            toStartOfHour(at, 'UTC') AS hour,
            count() AS hour_auctions,
            arrayMap(
                n -> least(n, {userHourCap:UInt64}),
                sumForEach(arrayMap(bid -> toUInt64(greatest(floor_micros, if(winner = '', 0, ${WINNING_PRICE} + ${MUST_EXCEED})) <= bid), {bids:Array(Int64)}))
            ) AS of_hour
        FROM auctions
        WHERE ${OF_MOMENTS} AND ${OF_MARKET} AND device % {oneIn:UInt32} = 0 AND ${FITS}
        GROUP BY day, device, hour
    )
    GROUP BY day, device
)
GROUP BY day
ORDER BY day`,
  params: FitParams.omit({ startsAt: true, endsAt: true }).extend({
    ds: z.iso.date(),
    de: z.iso.date(),
    oneIn: z.int().min(1),
    bids: z.array(z.int()),
    userHourCap: z.int(),
    userDayCap: z.int(),
  }),
  row: z.object({
    day: z.string(),
    matching: countColumn,
    won: z.array(countColumn),
    devices: z.array(countColumn),
  }),
});
