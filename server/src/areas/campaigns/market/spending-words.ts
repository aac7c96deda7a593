import type { CampaignFormat, SpendingReason } from "@millrace/contract";
import { formatMoney } from "@millrace/units";
import { BELOW_ONE, isBelowOneImpression } from "../campaign-status.ts";
import type { Campaign } from "../campaign-store.ts";

interface Words {
  /** What a reason means. */
  text: string;
  /** What to do; null if nothing is wrong, or nothing helps. */
  advice: string | null;
}

const chosen = (text: string): Words => ({ text, advice: null });

/** Why none of a campaign's creatives was of the kind that a place takes. */
const MISFIT_WORDS = {
  video: {
    text: "The place took no video of its length, file type, bit rate or VAST version",
    advice: "Add a shorter video: an MP4 with H.264 video and AAC sound of 15 or 30 seconds fits most places.",
  },
  image: {
    text: "The place took native ads, and no image had a headline and the size that it required",
    advice: "Give each image a headline, with which it is also sold as a native ad.",
  },
  banner: chosen("The place took none of its banners"),
} as const satisfies Record<CampaignFormat, Words>;

/** What a campaign does with places outside of its targeting. */
const OUTSIDE_WORDS = { in: "does not target", not_in: "leaves out" } as const satisfies Record<
  Campaign["fields"]["geo_type"],
  string
>;

const NO_REGIONS = "Requests from Millrace's SDKs and from video players name no region.";
const NO_REGION_WORDS = {
  in: {
    text: "Without a region, in a country of which it targets regions only",
    advice: `${NO_REGIONS} Target the whole country to be shown there.`,
  },
  not_in: {
    text: "Without a region, in a country of which it leaves out regions, where it might be",
    advice: `${NO_REGIONS} Take the country out of the list to be shown there.`,
  },
} as const satisfies Record<Campaign["fields"]["geo_type"], Words>;

/** These reasons have the same words for every campaign. */
const SAME_WORDS = {
  moderation: {
    text: "Before any of its creatives was approved",
    advice: "Creatives are shown once a moderator has approved them.",
  },
  own_campaign: {
    text: "Another campaign of yours won at a higher bid",
    advice: "Outbidding it would only raise what you pay. To let this one win more, lower the bid of the other.",
  },
  not_for_children: {
    text: "In apps for children, for which no creative of it is approved",
    advice: "Only creatives that a moderator has found suitable for children are shown there.",
  },
} as const satisfies Partial<Record<SpendingReason, Words>>;

const hasSameWords = (reason: SpendingReason): reason is keyof typeof SAME_WORDS => Object.hasOwn(SAME_WORDS, reason);

const notBoughtWords = (frozen: boolean): Words =>
  frozen
    ? { text: "It was frozen", advice: "Run the campaign again to take part in auctions." }
    : chosen("Its bid was lowered to spread the budget, or an equal bid or the publisher's own ad came first");

/** Ads wait to be shown for half an hour at most, and their prices with them. */
const OR_RESERVED = "was spent, or reserved for ads that are still to be shown";

function budgetWords(fields: Pick<Campaign["fields"], "budget" | "bid">): Words {
  const total = `Its total budget of ${formatMoney(fields.budget)}`;
  return isBelowOneImpression(fields)
    ? { text: `${total} is ${BELOW_ONE}`, advice: "Raise the total budget, or lower the bid." }
    : { text: `${total} ${OR_RESERVED}`, advice: "Raise the total budget." };
}

/** The words for a budget that is spread: a total budget over all days up to its end. */
function pacedWords({ budget, bid, end_date }: Pick<Campaign["fields"], "budget" | "bid" | "end_date">): Words {
  if (budget === 0)
    return {
      text: "Left out to spread the daily budget over the day",
      advice: `The rest of the ${formatMoney(bid.daily)} is kept for the hours to come.`,
    };
  return {
    text: "Left out to spread the budget over the time that is left",
    advice: `What is left of the ${formatMoney(budget)} is kept for the hours ${end_date === null ? "" : "and days "}to come, with at most ${formatMoney(bid.daily)} a day.`,
  };
}

function capWords(caps: Campaign["fields"]["limit"]): Words {
  if (caps.every(({ per }) => per === "user"))
    return {
      text: "The device had reached a frequency cap",
      advice: "Allow more impressions per user, or target more countries and devices.",
    };
  return {
    text: "A frequency cap was reached",
    advice: caps.every(({ per }) => per === "all")
      ? "Allow more impressions on all devices together."
      : "Allow more impressions per user, or on all devices together.",
  };
}

/** A reason in words. `needed` is the median CPM that would have been needed. */
export function spendingWords(
  reason: SpendingReason,
  { frozen, fields }: Pick<Campaign, "frozen" | "fields">,
  needed: number,
): Words {
  const { bid, campaign_format, geo_type } = fields;
  if (hasSameWords(reason)) return SAME_WORDS[reason];
  switch (reason) {
    case "not_started":
      return chosen("Before the campaign's start");
    case "over":
      return chosen("After the campaign's end");
    case "off_hours":
      return chosen("Outside of its days and hours");
    case "geography":
      return chosen(`In countries that it ${OUTSIDE_WORDS[geo_type]}`);
    case "region_unknown":
      return NO_REGION_WORDS[geo_type];
    case "region":
      return chosen(`In regions that it ${OUTSIDE_WORDS[geo_type]}`);
    case "platform":
      return chosen("On TVs and other devices that it does not target");
    case "os_version":
      return chosen("With versions that it does not target, or unknown ones");
    case "network":
      return chosen("Without Wi-Fi, or with an unknown connection");
    case "size":
      return chosen("In places of other sizes than its banners");
    case "floor":
      return {
        text: `Its bid of ${formatMoney(bid.value)} was below the floor`,
        advice: `Raise the bid: the median floor there was ${formatMoney(needed)}.`,
      };
    case "outbid":
      return {
        text: "Another bid was higher",
        advice: `Raise the bid: the median winning price there was ${formatMoney(needed)}.`,
      };
    case "blocked":
      return chosen("The app or the request blocked its advertiser, app or category");
    case "creative_misfit":
      return MISFIT_WORDS[campaign_format];
    case "frequency_cap":
      return capWords(fields.limit);
    case "paced":
      return pacedWords(fields);
    case "budget_spent":
      return budgetWords(fields);
    case "daily_budget_spent":
      return {
        text: `Its daily budget of ${formatMoney(bid.daily)} ${OR_RESERVED}`,
        advice: "Raise the daily budget, or bid less to buy more for it.",
      };
    case "balance_spent":
      return {
        text: `The campaign balance ${OR_RESERVED}`,
        advice: "Refill the campaign balance: contact support.",
      };
    case "lease_pending":
      return chosen("While its budget was being reserved, which takes moments");
    case "not_bought":
      return notBoughtWords(frozen);
    case "won":
      return chosen("Its ad was returned, as the first one or behind others");
  }
}
