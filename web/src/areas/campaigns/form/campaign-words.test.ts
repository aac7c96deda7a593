import { expect, test } from "vitest";
import { CHOICES, someCampaign } from "../testing/some-campaign.ts";
import { activeDays, campaignWords } from "./campaign-words.ts";
import { type Draft, draftOf, newDraft } from "./draft.ts";

const DRAFT = draftOf(someCampaign());

const words = (change: Partial<Draft>, base = DRAFT) =>
  new Map(campaignWords({ ...base, ...change }, CHOICES.countries).map(({ about, ...said }) => [about, said]));
const said = (about: string, change: Partial<Draft>) => words(change).get(about)?.text;

const NEVER = "Nothing: none of its days and hours is between its start and its end";

test("a campaign is told in one line for each of its respects", () => {
  expect(campaignWords(DRAFT, CHOICES.countries)).toEqual([
    { about: "Runs", text: "From Jan 5th, 2026, 14:00 UTC, until it is stopped or its budget is spent" },
    { about: "On", text: "Mon to Fri, 08:00 to 20:00 UTC" },
    { about: "Where", text: "In Germany and United States" },
    { about: "Devices", text: "Android with version 9 to 12, on Wi-Fi only" },
    { about: "Bids", text: "Up to $2.40 for 1,000 impressions: at that price a day's money buys 125,000" },
    { about: "Spends", text: "At most $300.00 a day, without a limit in all" },
    { about: "Caps", text: "At most 3 impressions per device each day" },
    { about: "Shows", text: "2 images; 1 blocked" },
  ]);
});

test("what is missing from a new campaign is marked", () => {
  const open = [...words({}, newDraft(0))].filter(([, { open: isOpen }]) => isOpen).map(([about]) => about);
  expect(open).toEqual(["Where", "Shows"]);
});

test.each([
  [[1, 2, 3, 4, 5, 6, 7], "Every day"],
  [[1, 2, 3, 5], "Mon to Wed, Fri"],
  [[6, 7], "Sat, Sun"],
  [[1, 3, 5], "Mon, Wed, Fri"],
])("days %j are %s", (days, text) => {
  expect(said("On", { days, day_activity_from: "00:00", day_activity_to: "23:59" })).toBe(`${text}, at any hour`);
});

test("many countries are counted", () => {
  const country = ["DE", "FR", "JP", "US", "XA", "XB"];
  expect(said("Where", { country })).toBe("In Germany, France, Japan and 3 more");
  expect(said("Where", { country: ["DE"], geo_type: "not_in" })).toBe("Everywhere but in Germany");
  expect(said("Where", { country: [], geo_type: "not_in" })).toBe("In every country");
});

test("the regions of a country are counted", () => {
  const country = ["DE", "US"];
  expect(said("Where", { country, region: ["US-CA", "US-TX"] })).toBe("In Germany and United States (2 regions)");
  // A country that is not chosen any more has none.
  const region = ["DE-BY", "FR-IDF"];
  expect(said("Where", { country, region, geo_type: "not_in" })).toBe(
    "Everywhere but in Germany (1 region) and United States",
  );
});

test("devices are told with their versions and the network", () => {
  const all = { platform: ["iphone", "ipad", "android"], ios: { all: false, min: "15", max: "18" } };
  const text = "iPhone and iPad with iOS 15 to 18; Android with version 9 to 12, on Wi-Fi only";
  expect(said("Devices", { ...all, store_id: "" })).toBe(text);
  expect(said("Devices", { ...all, app_platform: "ios" })).toBe(`${text}. The app cannot be installed on Android`);
  expect(said("Devices", { ...all, app_platform: "android" })).toBe(
    `${text}. The app cannot be installed on iPhone and iPad`,
  );
  expect(said("Devices", { platform: ["ipad"], network: "any", app_platform: "ios" })).toBe(
    "iPad, all versions, on any network",
  );
});

test("the most that is spent is the budget, or what its days can hold", () => {
  const week = { end_date: "2026-01-12", end_time: "14:00" };
  expect(said("Spends", week)).toBe("At most $300.00 a day and $1,800.00 in all (6 days)");
  expect(said("Spends", { ...week, budget: "1000" })).toBe("At most $300.00 a day and $1,000.00 in all (6 days)");
  expect(said("Spends", { budget: "1000" })).toBe("At most $300.00 a day and $1,000.00 in all");
  expect(said("Spends", { end_date: "2026-01-05", end_time: "20:00" })).toBe(
    "At most $300.00 a day and $300.00 in all (1 day)",
  );
  expect(said("Spends", { ...week, days: [7], end_date: "2026-01-10" })).toBe(NEVER);
  const afternoon = { end_date: "2026-01-05", end_time: "14:00", day_activity_from: "15:00" };
  expect(said("Spends", { ...week, start_time: "10:00", ...afternoon })).toBe(NEVER);
});

test("only days with an hour to run count", () => {
  const from = { start_date: "2026-01-05", days: [1, 2, 3, 4, 5, 6, 7] };
  // It starts after the first day's hours, and ends before the last day's.
  expect(activeDays({ ...DRAFT, ...from, start_time: "20:00", end_date: "2026-01-08", end_time: "08:00" })).toBe(2);
  expect(activeDays({ ...DRAFT, ...from, start_time: "19:59", end_date: "2026-01-08", end_time: "08:01" })).toBe(4);
  expect(activeDays({ ...DRAFT, end_date: "" })).toBeNull();
  expect(activeDays({ ...DRAFT, end_date: "9999-01-01" })).toBeNull();
});

test("caps are told one by one, and an unfinished one as missing", () => {
  const limit = [
    { impressions: "20000", period: "hour", per: "all" },
    { impressions: "1", period: "day", per: "user" },
  ];
  expect(said("Caps", { limit })).toBe(
    "At most 20,000 impressions on all devices each hour and 1 impression per device each day",
  );
  expect(words({ limit: [{ impressions: "", period: "", per: "" }] }).get("Caps")).toEqual({
    text: "A limit is not complete",
    open: true,
  });
  expect(said("Caps", { limit: [] })).toBe("None: one device may see it any number of times");
});

test("text that cannot be read is said, and never shown as a figure", () => {
  expect(said("Runs", { start_date: "soon" })).toBe("No start yet");
  expect(said("Bids", { bid: { value: "x", daily: "300" } })).toBe("No bid yet");
  expect(said("Spends", { budget: "x" })).toBe("The budget cannot be read");
  expect(said("On", { days: [] })).toBe("No day of the week is chosen");
});
