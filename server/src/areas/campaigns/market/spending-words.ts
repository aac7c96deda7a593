import type { CampaignFormat, SpendingReason } from "@millrace/contract";
import { formatMoney } from "@millrace/units";
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

const notBoughtWords = (frozen: boolean): Words =>
  frozen
    ? { text: "It was frozen", advice: "Run the campaign again to take part in auctions." }
    : chosen("Its bid was lowered to spread the budget, or an equal bid or the publisher's own ad came first");

/** A reason in words. `needed` is the median CPM that would have been needed. */
export function spendingWords(
  reason: SpendingReason,
  { frozen, fields: { bid, budget, campaign_format, geo_type } }: Pick<Campaign, "frozen" | "fields">,
  needed: number,
): Words {
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
    case "moderation":
      return {
        text: "Before any of its creatives was approved",
        advice: "Creatives are shown once a moderator has approved them.",
      };
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
    case "not_for_children":
      return {
        text: "In apps for children, for which no creative of it is approved",
        advice: "Only creatives that a moderator has found suitable for children are shown there.",
      };
    case "blocked":
      return chosen("The app or the request blocked its advertiser, app or category");
    case "creative_misfit":
      return MISFIT_WORDS[campaign_format];
    case "frequency_cap":
      return {
        text: "The device had reached a frequency cap",
        advice: "Allow more impressions per user, or target more countries and devices.",
      };
    case "paced":
      return {
        text: "Left out to spread the daily budget over the day",
        advice: `The rest of the ${formatMoney(bid.daily)} is kept for the hours to come.`,
      };
    case "budget_spent":
      return { text: `Its total budget of ${formatMoney(budget)} was spent`, advice: "Raise the total budget." };
    case "daily_budget_spent":
      return {
        text: `Its daily budget of ${formatMoney(bid.daily)} was spent`,
        advice: "Raise the daily budget, or bid less to buy more for it.",
      };
    case "balance_spent":
      return { text: "The campaign balance was spent", advice: "Refill the campaign balance: contact support." };
    case "lease_pending":
      return chosen("While its budget was being reserved, which takes moments");
    case "not_bought":
      return notBoughtWords(frozen);
    case "won":
      return chosen("Won");
  }
}
