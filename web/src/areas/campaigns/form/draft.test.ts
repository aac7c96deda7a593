import { expect, test } from "vitest";
import { someCampaign } from "../testing/some-campaign.ts";
import { appOf } from "./app-by-hand.tsx";
import {
  CampaignDraft,
  type Draft,
  bodyOf,
  creativeErrorText,
  draftFaults,
  draftOf,
  isUrlOrId,
  newDraft,
} from "./draft.ts";

const NOW = Date.parse("2026-11-20T15:00:00Z");
const DRAFT = draftOf(someCampaign());

/** The first message at each path, as the form shows it. */
function messages(change: Partial<Draft>, { isNew = false, base = DRAFT } = {}): Record<string, string> {
  const draft = { ...base, ...change };
  const found: Record<string, string> = {};
  for (const { path, message } of CampaignDraft.safeParse(draft).error?.issues ?? []) found[path.join(".")] ??= message;
  return { ...draftFaults(draft, { isNew, savedEnd: base.end_date, nowMs: NOW }), ...found };
}

test("a new campaign has the defaults of the specification, and starts at the next 14:00", () => {
  expect(newDraft(NOW)).toMatchObject({
    campaign_format: "image",
    budget: "0.00",
    bid: { value: "0.25", daily: "250.00" },
    start_date: "2026-11-21",
    start_time: "14:00",
    end_date: "",
    end_time: "14:00",
    days: [1, 2, 3, 4, 5, 6, 7],
    day_activity_from: "00:00",
    day_activity_to: "23:59",
    network: "any",
    limit: [],
    creatives: [],
  });
  expect(newDraft(Date.parse("2026-11-20T13:59:00Z")).start_date).toBe("2026-11-20");
});

test("a saved campaign goes through its form unchanged", () => {
  const { creatives, ...saved } = bodyOf(DRAFT);
  expect(someCampaign()).toMatchObject(saved);
  expect(creatives.map(({ image_url, cta }) => [image_url, cta])).toEqual([
    ["/files/a.png", "Play"],
    ["/files/a.png", ""],
  ]);
  expect(messages({})).toEqual({});
  expect(CampaignDraft.safeParse(DRAFT).success).toBe(true);
});

test("an amount finer than a cent is kept to the micro-dollar", () => {
  const saved = someCampaign({ budget: 1_000_000_000_001, bid: { type: "cpm", value: 312_500, daily: 250_000_000 } });
  expect(draftOf(saved)).toMatchObject({ budget: "1000000.000001", bid: { value: "0.3125", daily: "250.00" } });
  expect(bodyOf(draftOf(saved)).budget).toBe(1_000_000_000_001);
});

test.each<[string, Partial<Draft>, Record<string, string>]>([
  ["no name", { name: " " }, { name: "This field is required" }],
  ["a budget that is no number", { budget: "much" }, { budget: "Add budget in $" }],
  ["a budget below 0", { budget: "-1" }, { budget: "Add budget in $" }],
  ["a bid below $0.25", { bid: { value: "0.24", daily: "250" } }, { "bid.value": "Add value in $" }],
  ["a day below $250", { bid: { value: "0.25", daily: "249.99" } }, { "bid.daily": "Add value in $" }],
  ["an empty bid", { bid: { value: "", daily: "" } }, { "bid.value": "Add value in $", "bid.daily": "Add value in $" }],
  ["no start", { start_date: "" }, { start_date: "Date format must be yyyy/mm/dd" }],
  ["a day that does not exist", { start_date: "2026-02-30" }, { start_date: "Date format must be yyyy/mm/dd" }],
  ["a time that does not exist", { start_time: "24:00" }, { start_time: "Time in hh:mm format" }],
  ["an end before the start", { end_date: "2026-01-04" }, { end_date: "End date must be after start date" }],
  ["an end at the start", { end_date: "2026-01-05" }, { end_date: "End date must be after start date" }],
  [
    "hours that end before they start",
    { day_activity_to: "07:59" },
    { day_activity_to: "End time must be after start" },
  ],
  ["no days", { days: [] }, { days: "Choose at least one day" }],
  ["no country", { country: [] }, { country: "Choose at least one country" }],
  ["no platform", { platform: [] }, { platform: "Choose at least one platform" }],
  [
    "equal versions",
    { ios: { all: false, min: "17", max: "17" } },
    { "ios.max": "Max version must be higher than min" },
  ],
  [
    "reversed versions",
    { android: { all: false, min: "12", max: "9" } },
    { "android.max": "Max version must be higher than min" },
  ],
  ["no creative", { creatives: [] }, { creatives: "Add at least 1 creative" }],
  [
    "a cap without a period and a holder",
    { limit: [{ impressions: "", period: "", per: "" }] },
    {
      "limit.0.impressions": "Use a whole number above 0",
      "limit.0.period": "This field is required",
      "limit.0.per": "This field is required",
    },
  ],
  [
    "the same cap twice",
    {
      limit: [
        { impressions: "3", period: "day", per: "user" },
        { impressions: "2", period: "day", per: "user" },
      ],
    },
    { "limit.1.impressions": "These are duplicate limits" },
  ],
  [
    "a cap above a wider one",
    {
      limit: [
        { impressions: "3", period: "day", per: "all" },
        { impressions: "4", period: "hour", per: "all" },
      ],
    },
    { "limit.1.impressions": "This value must be lesser than in day per all" },
  ],
])("%s is refused in the specification's words", (_what, change, expected) => {
  expect(messages(change)).toEqual(expected);
});

test("all versions and every country need no range and no country", () => {
  expect(messages({ ios: { all: true, min: "17", max: "17" }, geo_type: "not_in", country: [] })).toEqual({});
});

test("a new campaign starts in the future, and a saved one may have started", () => {
  const past = { start_date: "2026-11-20", start_time: "15:00" };
  expect(messages(past, { isNew: true })).toEqual({ start_date: "Date and time must be after current date" });
  expect(messages(past)).toEqual({});
  expect(messages({ ...past, start_time: "15:01" }, { isNew: true })).toEqual({});
});

test.each([
  ["", "This field is required"],
  ["not an app", "Incorrect url or id"],
  ["https://", "Incorrect url or id"],
  ["com.example.tide", "Find the app and choose it"],
])("an app that was not chosen is asked for: “%s”", (url, message) => {
  expect(messages({ url, bundle_id: "" })["url"]).toBe(message);
});

test.each(["https://play.google.com/store/apps/details?id=a.b", "389801252", "id389801252", "com.Example.App_2"])(
  "%s can be an app",
  (text) => expect(isUrlOrId(text)).toBe(true),
);

test.each(["ftp://a.b", "one two", "tide", "com..tide", "-1", "id"])("%s cannot be an app", (text) => {
  expect(isUrlOrId(text)).toBe(false);
});

test("a creative's error names its store id", () => {
  const { creatives } = DRAFT;
  expect(creativeErrorText("creatives.0.click_url", "Please enter a valid URL", creatives)).toBe(
    "com.example.tide: Please enter a valid URL",
  );
  expect(creativeErrorText("creatives.7.format", "Not one of ours", creatives)).toBe(
    "Incorrect creative field: Not one of ours",
  );
  expect(creativeErrorText("creatives", "Add at least 1 creative", [])).toBe("Add at least 1 creative");
});

test("a campaign that starts now needs no start in the future", () => {
  const past = { start_date: "2026-11-20", start_time: "15:00", starts_now: true };
  expect(messages(past, { isNew: true })).toEqual({});
  expect(messages({ ...past, end_date: "2026-11-19" }, { isNew: true })).toEqual({
    end_date: "End date must be after start date",
  });
});

test("an end after more than five years is refused, unless it was saved before", () => {
  const far = { end_date: "9999-12-31" };
  expect(messages(far)).toEqual({ end_date: "Choose an end within 5 years" });
  expect(messages(far, { base: { ...DRAFT, ...far } })).toEqual({});
});

test("an app that is entered by hand keeps the capitals of its id", () => {
  const page = "https://play.google.com/store/apps/details?id=com.Slack";
  for (const url of [page, "com.Slack"])
    expect(appOf(url)).toMatchObject({ store_id: "com.Slack", bundle_id: "com.Slack", app_platform: "android" });
});
