import type { BidReason, NoAdReason, Outcome, Reason, RefusalReason } from "@millrace/auction";
import type { NotCountedReason, PartnerResult, SpendingReason } from "@millrace/contract";

/**
 * What the help says about each reason besides its text: what it means in practice, and what to do about it. The types keep the
 * lists complete: a new reason does not compile before it is explained here.
 */

const NO_AD = {
  app_not_live:
    "A moderator has not approved the app yet, or it is banned. The list of apps shows which; requests are answered without an auction until then.",
  no_partner_ready:
    "Nobody could be asked: partners are switched off, have no keys for this app and format, are paused, or do not buy this kind of ad. Open **Mediation**, and look at each partner's reason in the auction.",
  consent_limits:
    "The user is protected by the GDPR, and no ready partner has the user's consent. A consent platform (TCF) in the app passes on the choices of users; without one there is no consent to pass on. See where [the GDPR](/privacy#gdpr) applies.",
  child_directed_limits:
    "The request is child-directed (COPPA), and no ready partner buys such traffic. Check the app's **For children** setting if this surprises you.",
  frequency_cap:
    "A campaign wanted this request and would have paid enough, but its advertiser limits how often one user sees it.",
  timeout:
    "No partner answered in time: at least one was still silent when the auction's time was over, and the others, if any, failed. A partner that is often late stands out under **Mediation**, **Partners**.",
  partner_errors:
    "Every partner that was asked failed: its server could not be reached, returned an error, or its answer could not be read. The auction shows which, with the answer.",
  no_demand:
    "Partners answered in time and had no bid, or were not asked because they practically never bid for such requests. It is the usual reason, and none of the app's settings causes it: audience, country and time do.",
  no_bid_above_floor:
    "There were bids, none of them could win, and at least one was only below the floor that you or the request set. **Mediation**, **Floors** shows yesterday's bids and what another floor would have changed.",
  blocked:
    "No bid could win, and your blocked categories or advertisers, or the request's, excluded at least one ad that was not below the floor. See **Mediation**, **Blocked advertising**.",
  switched_off:
    "The operator stopped such requests, or only this partner for them, by a [kill switch](/operators/partners#kill-switches) for an app, SDK versions or countries. Ask the operator for the reason, and for how long it lasts.",
  format_unplayable:
    "The place asks for a format that the SDK of its platform cannot play: audio on [Roku](/start/roku#formats). Nobody is asked but adapters of other sellers' SDKs, and no campaign or in-house ad is delivered. Use another format in this zone. A player's [VAST tag](/start/#vast) is not affected.",
  invalid_bids: "There were bids, and none was valid: each bid's own reason says why. It is the partner's to correct.",
} as const satisfies Record<NoAdReason, string>;

const REFUSALS = {
  partner_inactive:
    "The operator has switched the partner off for all apps. Those of the demo that misbehave on purpose are off as well: **Mediation** lists them as test bidders.",
  partner_off: "Switch it on under **Mediation** if you want it to be asked for this app.",
  keys_missing: "Enter the app's keys at this partner under **Mediation**, **Add keys**: they differ by format.",
  breaker_open:
    "After 20 failures in a row, or if 4 of 5 calls fail among at least 50 within 5 to 10 seconds, a partner is not asked for 5 seconds, and longer each time it fails again, up to a minute. Single requests then probe it, and three answers in a row end the pause. An auction counts once. Failures are not counted if the request brings its own keys, if keys name the host, or, of late answers, if the caller leaves less time than the platform gives. A refusal, such as HTTP 400, is an answer.",
  consent_missing:
    "The user is protected by the GDPR and has not consented to this partner's vendor id, or the request does not say so: see [privacy signals](/privacy#gdpr). Nothing was sent.",
  consent_unreachable:
    "The user is protected by the GDPR, and the partner is not on the Global Vendor List, so that no consent can cover it.",
  child_directed: "Requests for children go only to partners that accept them.",
  currency_unsupported: "Bids are compared in dollars; the request and the partner have no currency in common.",
  no_currency_rate:
    "Bids in its currency cannot be compared without a rate of the last days. The operator sees the rates under **Admin**, **Partners**.",
  media_type_unsupported: "For example, a partner that buys only banners is not asked for a video.",
  floor_currency_unknown:
    "The request named a floor in a currency without a rate, so that no bid can be held against it.",
  predicted_no_bid:
    "The partner has practically never bid for such requests. One in fifty of them is sent all the same, so that its demand is noticed when it begins. You switch it on and off under **Mediation**, **Learned from traffic**.",
  predicted_no_fill:
    "The line item's adapter has practically never had an ad for such requests, as the app's own SDKs told. One in fifty of them tries it all the same. You switch it on and off under **Mediation**, [**Learned from traffic**](/publishers/mediation#learned).",
  rate_limited: "The operator has agreed with the partner on the most requests per second.",
  not_started: "Its start is in the future.",
  over: "Its end is in the past.",
  off_hours: "The advertiser chose the days and hours of its schedule; they are UTC.",
  geography: "The advertiser chose the countries.",
  region_unknown:
    "The advertiser chose or excluded regions of the country, and the request names none. Neither can be known of it, so the ad is not shown. Only OpenRTB requests with `device.geo.region` name one.",
  region: "The advertiser chose or excluded regions of the country.",
  platform: "The advertiser chose the platforms.",
  os_version: "The advertiser chose the versions. A device whose version is unknown fits only if all versions do.",
  network: "The advertiser chose to show it only over Wi-Fi. An unknown connection does not count as Wi-Fi.",
  format: "A campaign of banners does not bid for a video, and the other way round.",
  size: "Add banners of the sizes that apps offer most: 320×50, 300×250 and 728×90.",
  not_for_children:
    "The request is child-directed, and a moderator has found no creative of the campaign suitable for children.",
  creative_misfit:
    "For a video, length, file type, bit rate or VAST version did not fit; for an image in a native place, the headline or the size was missing.",
  paced:
    "The budget is spread over the day by the traffic that is expected, and some requests are left to others for it.",
  budget_spent:
    "Nothing of the total budget is left; impressions of ads that were returned and not shown yet are reserved.",
  daily_budget_spent: "The daily budget starts anew at midnight UTC.",
  balance_spent: "A refill of the campaign balance lets all campaigns of the account go on.",
  lease_pending: "Each process reserves parts of a budget before it spends them. It takes moments.",
  platform_unsupported:
    "The partner buys other platforms, such as iOS alone: the operator has entered them, or they are the partner's own.",
  region_unsupported:
    "The operator has entered in which regions the partner buys: the Americas, Europe with the Middle East and Africa, or Asia-Pacific. A device's country decides. If it is unknown, only partners that buy in all regions are asked.",
  item_off: "Switch it on under **Mediation**, **Line items**.",
  item_price_missing: "A line item competes at the price that you state for a country, or for all others.",
  caller_compares:
    "In OpenRTB and Prebid, the caller compares our bids with others. A line item's price is an expectation, not an offer, and takes no part.",
  item_format: "A line item is for one format.",
  item_zone: "The line item names its zones, and this one is not among them.",
  item_not_taken: "A VAST tag needs a video or audio place, an HTML tag a banner place of its size.",
  adapter_missing: "The app's build must contain the adapter of the seller's SDK, and has to name it in the request.",
} as const satisfies Record<Exclude<RefusalReason, NoAdReason>, string>;

const OUTCOMES = {
  refused: "Nothing was sent to it. Its refusal has the reason.",
  won: "Its bid was the highest that was valid, and its ad came first in the answer.",
  lost: "Each of its bids shows the CPM that would have won.",
  invalid: "Each of its bids has the reason.",
  not_answered: "The answer was sent before its call ended, for example because its caller had gone away.",
  no_bid: "It answered that it does not want this imp, with an empty response or status 204.",
  connection_failed: "No connection to its server could be opened, or it broke. Repeated failures pause the partner.",
  http_error: "The answer has a status other than 200 and 204; the auction shows it.",
  malformed_response: "It is not JSON, or not a bid response of OpenRTB.",
  response_too_large: "Answers are read up to a limit, so that none can exhaust the platform's memory.",
  request_failed:
    "The partner's adapter cannot build a request from what you entered. Compare the keys with the partner's documentation.",
} as const satisfies Record<Exclude<Outcome, NoAdReason | RefusalReason>, string>;

const BIDS = {
  outbid: "In a first-price auction, the highest valid bid wins and pays what it bid.",
  malformed_bid: "For example, a price in text. The auction names the field.",
  notice_too_long: "An address of a notice (`nurl`, `burl`, `lurl`) may have 4,096 characters.",
  markup_too_long: "The markup of an ad may have 256 KB.",
  not_asked: "Partners are offered only the imps for which they may be asked.",
  unknown_imp: "The bid's `impid` is no imp of the request.",
  price_missing: "The bid's `price` is missing or no number.",
  price_not_positive: "A bid must offer more than nothing.",
  price_too_high: "CPMs above $10,000 are taken for an error, such as a price in micros.",
  wrong_currency: "The response's `cur` is not among the currencies of the request.",
  unknown_deal: "The bid's `dealid` is none of the imp's deals.",
  deal_required: "The imp has `private_auction` set: only bids for its deals are admitted.",
  seat_blocked: "The request's `wseat`, `bseat` or the deal excludes the buyer's seat.",
  below_floor: "The floor is the one in force for country and format, or the request's if that is higher.",
  below_deal_floor: "A deal can have a floor of its own. For a deal without one, the floor of the imp applies.",
  wrong_media_type: "For example, a video for an imp that offers only a banner.",
  wrong_size: "The bid's width and height are none of the imp's sizes.",
  wrong_duration:
    "The bid's `dur`, or without one the Duration of its VAST document, is outside of the imp's `minduration` and `maxduration`, not among its `rqddurs`, or longer than its pod (`poddur`). A place of the SDK takes videos and audio of up to 60 seconds.",
  wrong_protocol:
    "The bid's `protocol` is not among the imp's `protocols`. If the bid has none, its VAST document must be of a major version that they list.",
  wrong_api: "The bid's `apis` has nothing but VPAID, which the imp's `api` does not list.",
  wrong_slot:
    "The bid's `slotinpod` asks for another position than the imp's, for example the first one of a place at the end of its pod.",
  advertiser_missing: "The app blocks advertisers, so that a bid without `adomain` cannot be checked, and is excluded.",
  advertiser_malformed: "`adomain` must have domains such as `example.com`, without scheme and path.",
  advertiser_blocked:
    "You block this domain under **Mediation**, **Blocked advertising**, or the request does (`badv`).",
  category_blocked:
    "You block this IAB category under **Mediation**, **Blocked advertising**, or the request does (`bcat`). Categories are compared with lists of the same taxonomy (`cattax`).",
  attribute_blocked: "The request's `battr` excludes the creative, for example because it plays sound by itself.",
  app_blocked: "The request's `bapp` excludes the advertised app.",
  language_excluded: "The bid's `language` or `langb` is not among the request's `wlang` or `wlangb`.",
  transparency_missing:
    "The request's `dsa` has `dsarequired` 2 or 3. The bid has no `ext.dsa`, or neither side would draw the notice, or both.",
  markup_missing: "A bid must bring its ad in `adm`, or an address in `nurl` that returns it.",
} as const satisfies Record<Exclude<BidReason, NoAdReason | RefusalReason | Outcome>, string>;

/** What is told of a partner when the auction's trace is not kept, and no reason has the same code. */
export const EXPLAINED_RESULTS = {
  bid: [
    "Bid and did not win",
    "Without a trace, only its price is known, and not what a higher bid or a fault had to do with it.",
  ],
  under_floor: ["Under the floor", "Its best bid was below the floor: see [the bid is below the floor](#below_floor)."],
  failed: [
    "Failed",
    "Its call failed. With a trace, the auction says how: the connection, the status, or an answer that could not be read.",
  ],
  asked: ["Asked", "It was asked, and its answer is not kept."],
} as const satisfies Record<Exclude<PartnerResult, Reason>, readonly [title: string, help: string]>;

/** By group, in the order of the page. A reason of several groups stands in the first. */
export const EXPLAINED_REASONS: readonly { title: string; reasons: Partial<Record<Reason, string>> }[] = [
  { title: "Why a request got no ad", reasons: NO_AD },
  { title: "Why somebody was not asked", reasons: REFUSALS },
  { title: "How a call to a partner ended", reasons: OUTCOMES },
  { title: "Why a bid did not win", reasons: BIDS },
];

export const EXPLAINED_NOT_COUNTED = {
  forged: "Its token is missing or changed. Such beacons belong to no app, and no statistic has them.",
  expired: "An ad may wait for a limited time before it is shown; later, its price does not hold any more.",
  replayed: "Retries are expected: a beacon may arrive more often than once, and counts once.",
  test: "Ads on test devices, of requests that are marked as tests, and those sent from the dashboard are neither counted nor paid.",
  user_agent_missing: "Every browser and app sends a user agent.",
  crawler: "Its user agent is on the list of known crawlers.",
  click_without_impression: "A click counts if its ad's impression counted before.",
  click_too_fast: "It came less than 100 ms after the auction; a person needs longer to see an ad and tap on it.",
  device_flood: "More than 120 impressions or 10 clicks of one device within a minute.",
  over_budget:
    "The ad was shown so late that its reservation of the budget was over, and nothing was left. The advertiser pays nothing.",
  other_ad_shown: "One request shows one ad. The first one of its place counts.",
  over_cap: "The user saw the campaign elsewhere meanwhile. The advertiser pays nothing.",
  address_flood: "More than 6,000 impressions or 600 clicks of one address within a minute.",
} as const satisfies Record<NotCountedReason, string>;

export const EXPLAINED_SPENDING = {
  not_started: ["Before its start", "Change the start if you want it to run earlier."],
  over: ["After its end", "Change the end to let it run on."],
  off_hours: ["Outside of its days and hours", "The schedule's hours are UTC."],
  geography: ["In other countries", "Target more countries to reach them."],
  region_unknown: [
    "Without a region",
    "The campaign targets or leaves out regions of the country, and most requests name none. To be shown there, target the whole country, or take it out of the countries that are left out.",
  ],
  region: ["In other regions", "Target more regions to reach them."],
  platform: ["On other platforms", "Target more platforms to reach them."],
  os_version: ["With other versions of the system", "Unknown versions fit only if all versions do."],
  network: ["Without Wi-Fi", "The campaign asks for Wi-Fi, and an unknown connection does not count as Wi-Fi."],
  size: ["In places of other sizes", "Add banners of more sizes."],
  moderation: ["Before a creative was approved", "Creatives are shown once a moderator has approved them."],
  floor: ["Below the floor", "Raise the bid; the page names the median floor there."],
  outbid: [
    "A higher bid won",
    "Raise the bid; the page names the median winning price there. A line item or a cross promotion counts at the price at which it was ranked.",
  ],
  own_campaign: [
    "Another campaign of yours won",
    "Its bid was higher. Outbidding it would only raise what you pay: lower its bid to let this one win more.",
  ],
  not_for_children: [
    "In apps for children",
    "Only creatives that a moderator has found suitable for children are shown there.",
  ],
  blocked: [
    "Blocked by the app",
    "Publishers block advertisers by their domain, and categories that a moderator gives to creatives; requests block apps, too.",
  ],
  creative_misfit: ["No creative fitted", "Shorter videos, and images with a headline, fit more places."],
  frequency_cap: ["A frequency cap was reached", "Allow more impressions per user, or reach more users."],
  paced: [
    "Kept for later",
    "The daily budget is spread over the day, and a total budget over the days up to the campaign's end.",
  ],
  budget_spent: [
    "The total budget was spent or reserved",
    "Raise the total budget. The price of an ad that was returned is reserved for half an hour at most, until it is shown.",
  ],
  daily_budget_spent: [
    "The daily budget was spent or reserved",
    "Raise the daily budget, or bid less to buy more for it. Prices of ads that are still to be shown are reserved.",
  ],
  balance_spent: [
    "The campaign balance was spent or reserved",
    "Contact support for a refill. Prices of ads that are still to be shown are reserved.",
  ],
  lease_pending: ["The budget was being reserved", "It takes moments, and nothing is to be done."],
  not_bought: [
    "Not bought for another reason",
    "The bid was lowered to spread the budget, or an equal bid came first. A frozen campaign takes part again once it runs.",
  ],
  won: [
    "Its ad was returned",
    "The campaign's ad was in the answer, as its first ad or behind others, which are shown if those before them cannot be.",
  ],
} as const satisfies Record<SpendingReason, readonly [title: string, help: string]>;
