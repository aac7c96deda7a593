-- A request that names its partners may bring any keys, so whether they bid on it says nothing of the app's other requests. Its row has
-- probabilities of -1, and is no evidence.
ALTER TABLE auctions_to_bid_evidence_daily MODIFY QUERY
SELECT
    provider,
    toDate(at, 'UTC') AS day,
    app_id,
    format,
    country,
    platform,
    sum(if(probability > 0, 1 / probability, 1)) AS asked,
    sumIf(if(probability > 0, 1 / probability, 1), outcome = 'bid') AS bids
FROM auctions
ARRAY JOIN
    auctions.asked AS provider,
    arrayResize(auctions.outcomes, length(auctions.asked)) AS outcome,
    arrayResize(auctions.ask_probabilities, length(auctions.asked)) AS probability
-- Of a call that failed it is not known whether there would have been a bid.
WHERE outcome IN ('bid', 'no_bid') AND probability >= 0
GROUP BY provider, day, app_id, format, country, platform;
