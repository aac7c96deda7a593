import {
  type CampaignFormat,
  CampaignBody,
  CLICK_WINDOW_DAYS,
  type CreativeStatus,
  HOLD_OUT,
  INSTALL,
  LEAST_BID,
  LEAST_DAILY_BUDGET,
  type SKIP_TIMERS,
  type Reply,
  TEXTS,
  type UploadedFile,
  VIEW_WINDOW_HOURS,
  campaignFaults,
  countryOfRegion,
  endsTooLate,
  type getCampaign,
  startsAfter,
} from "@millrace/contract";
import { DAY_MS, dayOf } from "@millrace/units";
import { z } from "zod";
import { type VersionsDraft, allVersions, amountOf, dollarsOf } from "./typed.ts";

/** A frequency cap as typed. */
export interface CapDraft {
  impressions: string;
  period: string;
  per: string;
}

/** A creative of the campaign, already checked by its editor. */
export interface CreativeDraft {
  c_id: string | null;
  format: CampaignFormat;
  store_id: string;
  /** Of its store; empty for any. */
  country: string;
  cta: string;
  title: string;
  skip_timer: (typeof SKIP_TIMERS)[number];
  click_url: string;
  tracking_url: string;
  /** Its image or video. */
  image: UploadedFile;
  /** Null until it is saved for the first time. */
  status: CreativeStatus | null;
  /** Why it was blocked. */
  reason: string | null;
}

/** The form while it is being filled in: amounts and dates as typed, and the app with what the page shows of it. */
export interface Draft {
  /** What is searched for in the stores. */
  url: string;
  /** The stores could not be reached, so the app's ids are entered by hand. */
  manual: boolean;
  bundle_id: string;
  store_id: string;
  app_platform: string;
  site: string;
  app_logo: string | null;
  name: string;
  campaign_format: string;
  budget: string;
  bid: { value: string; daily: string };
  /** A new campaign starts when it is saved, whatever its start says. */
  starts_now: boolean;
  start_date: string;
  start_time: string;
  /** Empty for a campaign without an end. */
  end_date: string;
  end_time: string;
  days: number[];
  day_activity_from: string;
  day_activity_to: string;
  network: string;
  geo_type: string;
  country: string[];
  /** Those of countries that are not chosen any more count again once they are. */
  region: string[];
  platform: string[];
  ios: VersionsDraft;
  android: VersionsDraft;
  limit: CapDraft[];
  click_link: string;
  view_link: string;
  conversion_event: string;
  /** In days, and in hours. */
  click_window: string;
  view_window: string;
  rotation: string;
  /** In percent. */
  hold_out: string;
  creatives: CreativeDraft[];
}

/** The most characters of a name and of an address. */
export const MOST_ADDRESS = 100;

const START_TIME = "14:00";
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/** A new campaign: it starts at the next 14:00 UTC. */
export function newDraft(nowMs: number): Draft {
  const today = dayOf(nowMs);
  const isOver = !startsAfter({ start_date: today, start_time: START_TIME }, nowMs);
  return {
    url: "",
    manual: false,
    bundle_id: "",
    store_id: "",
    app_platform: "android",
    site: "",
    app_logo: null,
    name: "",
    campaign_format: "image",
    budget: "0.00",
    bid: { value: dollarsOf(LEAST_BID), daily: dollarsOf(LEAST_DAILY_BUDGET) },
    starts_now: false,
    start_date: isOver ? dayOf(nowMs + DAY_MS) : today,
    start_time: START_TIME,
    end_date: "",
    end_time: START_TIME,
    days: EVERY_DAY,
    day_activity_from: "00:00",
    day_activity_to: "23:59",
    network: "any",
    geo_type: "in",
    country: [],
    region: [],
    platform: ["iphone", "ipad", "android"],
    ios: allVersions("ios"),
    android: allVersions("android"),
    limit: [],
    click_link: "",
    view_link: "",
    conversion_event: INSTALL,
    click_window: String(CLICK_WINDOW_DAYS.usual),
    view_window: String(VIEW_WINDOW_HOURS.usual),
    rotation: "even",
    hold_out: String(HOLD_OUT.usual),
    creatives: [],
  };
}

type Saved = Reply<typeof getCampaign>["campaign"];

/** A saved campaign as its form shows it. */
export const draftOf = (campaign: Saved): Draft => ({
  url: "",
  manual: false,
  app_logo: campaign.image_url,
  starts_now: false,
  ...sameIn(campaign),
  end_date: campaign.end_date ?? "",
  budget: dollarsOf(campaign.budget),
  bid: { value: dollarsOf(campaign.bid.value), daily: dollarsOf(campaign.bid.daily) },
  limit: campaign.limit.map((cap) => ({ ...cap, impressions: String(cap.impressions) })),
  click_window: String(campaign.click_window),
  view_window: String(campaign.view_window),
  hold_out: String(campaign.hold_out),
  creatives: campaign.creatives.map((creative) => ({
    ...entriesOf(creative),
    image: creative.image,
    status: creative.status,
    reason: creative.reason,
  })),
});

/** The regions of the countries that are chosen. */
export const regionsOf = ({ country, region }: Pick<Draft, "country" | "region">): string[] =>
  region.filter((code) => country.includes(countryOfRegion(code)));

/** The call's body. What cannot be read becomes a value that the schema refuses in its own words. */
export function bodyOf(draft: Draft): z.input<typeof CampaignBody> {
  const body = {
    ...sameIn(draft),
    region: regionsOf(draft),
    end_date: draft.end_date.trim() === "" ? null : draft.end_date,
    budget: amountOf(draft.budget),
    bid: { type: "cpm", value: amountOf(draft.bid.value), daily: amountOf(draft.bid.daily) },
    limit: draft.limit.map((cap) => ({ ...cap, impressions: countOf(cap.impressions) })),
    click_window: countOf(draft.click_window),
    view_window: countOf(draft.view_window),
    hold_out: countOf(draft.hold_out),
    creatives: draft.creatives.map(creativeBodyOf),
  };
  // Selects hold text; the schema checks that it is one of its values.
  return body as z.input<typeof CampaignBody>;
}

/** A creative in the call's body. */
export const creativeBodyOf = ({ image, ...entered }: CreativeEntries & { image: UploadedFile | null }) => ({
  ...entriesOf(entered),
  image_url: image?.url ?? "",
});

/** The fields that the call and the form have alike. */
type Same = Omit<
  Draft,
  | "url"
  | "manual"
  | "app_logo"
  | "starts_now"
  | "end_date"
  | "budget"
  | "bid"
  | "limit"
  | "click_window"
  | "view_window"
  | "hold_out"
  | "creatives"
>;

function sameIn({ bundle_id, store_id, app_platform, site, name, campaign_format, ...rest }: Same): Same {
  const { start_date, start_time, end_time, days, day_activity_from, day_activity_to } = rest;
  const { network, geo_type, country, region, platform, ios, android } = rest;
  const { click_link, view_link, conversion_event, rotation } = rest;
  const app = { bundle_id, store_id, app_platform, site, name, campaign_format };
  const schedule = { start_date, start_time, end_time, days, day_activity_from, day_activity_to };
  const measured = { click_link, view_link, conversion_event, rotation };
  return { ...app, ...schedule, network, geo_type, country, region, platform, ios, android, ...measured };
}

type CreativeEntries = Omit<CreativeDraft, "image" | "status" | "reason">;

const entriesOf = ({
  c_id,
  format,
  store_id,
  country,
  cta,
  title,
  skip_timer,
  click_url,
  tracking_url,
}: CreativeEntries): CreativeEntries => ({
  c_id,
  format,
  store_id,
  country,
  cta,
  title,
  skip_timer,
  click_url,
  tracking_url,
});

/** The draft, checked as the body that is made of it. */
export const CampaignDraft = z.custom<Draft>().transform(bodyOf).pipe(CampaignBody);

/** The rules that the body's schema does not know, or checks only once all fields are valid, by path. */
export function draftFaults(
  draft: Draft,
  { isNew, savedEnd, nowMs }: { isNew: boolean; savedEnd: string; nowMs: number },
): Record<string, string> {
  const { start_date, start_time, end_date, end_time, day_activity_from, day_activity_to } = draft;
  const { end_date: end, day_activity_to: to, ...faults } = campaignFaults(bodyOf(draft));
  const starts = isMoment(start_date, start_time);
  return {
    ...faults,
    ...(starts &&
      isDate(end_date) &&
      end_date !== savedEnd &&
      endsTooLate({ start_date, end_date }, nowMs) && { end_date: TEXTS.endTooFar }),
    ...(end !== undefined && starts && isMoment(end_date, end_time) && { end_date: end }),
    ...(to !== undefined && isTime(day_activity_from) && isTime(day_activity_to) && { day_activity_to: to }),
    ...(isNew &&
      !draft.starts_now &&
      starts &&
      !startsAfter({ start_date, start_time }, nowMs) && { start_date: TEXTS.startInPast }),
    ...(!draft.manual && draft.bundle_id === "" && { url: unsearched(draft.url) }),
  };
}

const unsearched = (url: string): string =>
  url.trim() === "" ? TEXTS.required : isUrlOrId(url) ? "Find the app and choose it" : TEXTS.incorrectUrlOrId;

/** Whether a text can be an app's address, its number in the App Store, or its package name. */
export function isUrlOrId(text: string): boolean {
  const input = text.trim();
  if (/^https?:\/\//i.test(input)) return URL.canParse(input);
  return /^(id)?\d+$/i.test(input) || /^[a-z]\w*(\.\w+)+$/i.test(input);
}

const isTime = (time: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(time);
export const isDate = (date: string): boolean => z.iso.date().safeParse(date).success;
export const isMoment = (date: string, time: string): boolean => isDate(date) && isTime(time);

const countOf = (typed: string): number => (/^\s*\d{1,9}\s*$/.test(typed) ? Number(typed) : 0);

/** An error of a creative with the store id that tells which one. */
export function creativeErrorText(path: string, message: string, creatives: readonly CreativeDraft[]): string {
  const [list, index] = path.split(".");
  if (list !== "creatives" || index === undefined) return message;
  const storeId = creatives[Number(index)]?.store_id ?? "";
  return storeId === "" ? `Incorrect creative field: ${message}` : `${storeId}: ${message}`;
}
