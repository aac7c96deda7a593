import { expect, test } from "vitest";
import { PageAddress, WebAddress } from "./campaign-fields.ts";
import { campaignFaults, endsTooLate, startsAfter } from "./campaign-rules.ts";
import { PartnerSettings } from "./partners.ts";
import { RewardSettings } from "./rewards.ts";

const fine = {
  start_date: "2026-03-01",
  start_time: "14:00",
  end_date: null,
  end_time: "14:00",
  day_activity_from: "00:00",
  day_activity_to: "23:59",
  geo_type: "in" as const,
  country: ["DE"],
  ios: { all: true, min: "12", max: "12" },
  android: { all: true, min: "5", max: "5" },
  limit: [],
};
const cap = (impressions: number, per: "user" | "all", period: "day" | "hour") => ({ impressions, per, period });

test("a campaign that breaks no rule has no fault", () => {
  expect(campaignFaults(fine)).toEqual({});
  expect(campaignFaults({ ...fine, end_date: "2026-03-01", end_time: "14:01" })).toEqual({});
  expect(campaignFaults({ ...fine, geo_type: "not_in", country: [] })).toEqual({});
  expect(campaignFaults({ ...fine, ios: { all: false, min: "9", max: "10" } })).toEqual({});
});

test.each([
  [{ end_date: "2026-03-01", end_time: "14:00" }, { end_date: "End date must be after start date" }],
  [{ end_date: "2026-02-28", end_time: "23:59" }, { end_date: "End date must be after start date" }],
  [{ day_activity_from: "10:00", day_activity_to: "10:00" }, { day_activity_to: "End time must be after start" }],
  [{ country: [] }, { country: "Choose at least one country" }],
  [{ ios: { all: false, min: "16", max: "16" } }, { "ios.max": "Max version must be higher than min" }],
  [{ android: { all: false, min: "10", max: "9" } }, { "android.max": "Max version must be higher than min" }],
])("a campaign with %j is refused", (change, faults) => {
  expect(campaignFaults({ ...fine, ...change })).toEqual(faults);
});

test("a cap that repeats an earlier one is refused", () => {
  const limit = [cap(3, "user", "day"), cap(5, "user", "day")];
  expect(campaignFaults({ ...fine, limit })).toEqual({ "limit.1.impressions": "These are duplicate limits" });
});

test("a cap must not allow more than the next wider one, in whichever order they stand", () => {
  const limit = [cap(4, "user", "hour"), cap(100, "all", "day"), cap(3, "user", "day")];
  expect(campaignFaults({ ...fine, limit })).toEqual({
    "limit.0.impressions": "This value must be lesser than in day per user",
  });
  expect(campaignFaults({ ...fine, limit: [cap(100, "all", "day"), cap(101, "all", "hour")] })).toEqual({
    "limit.1.impressions": "This value must be lesser than in day per all",
  });
  expect(campaignFaults({ ...fine, limit: [cap(100, "all", "day"), cap(100, "all", "hour")] })).toEqual({});
});

test.each([
  [null, "2026-02-01", false],
  ["2031-03-01", "2026-02-01", false],
  ["2031-03-02", "2026-02-01", true],
  // It has been running for a year.
  ["2032-03-01", "2027-03-01", false],
  ["2032-03-02", "2027-03-01", true],
  ["9999-12-31", "2027-03-01", true],
])("an end on %s, seen on %s, is too late: %s", (end_date, now, isTooLate) => {
  expect(endsTooLate({ ...fine, end_date }, Date.parse(now))).toBe(isTooLate);
});

test("the start is compared as a moment in UTC", () => {
  expect(startsAfter(fine, Date.parse("2026-03-01T13:59:59Z"))).toBe(true);
  expect(startsAfter(fine, Date.parse("2026-03-01T14:00:00Z"))).toBe(false);
});

test.each([
  ["https://track.example/{zone}?id={click_id}", true],
  ["https://{zone}.example/", false],
  ["https://track%7Bzone%7D.example/", false],
  ["javascript://track.example/", false],
])("%s is an address to lead to: %s", (address, isFine) => {
  expect(WebAddress.safeParse(address).success).toBe(isFine);
});

test.each([
  ["https://shop.example/tide?id={click_id}", true],
  ["https://shop.example.:8443/", true],
  ["https://bücher.example/", true],
  ["https://203.0.113.5/tide", false],
  ["http://3405803781/", false],
  ["http://[2001:db8::5]/", false],
  ["http://localhost:3000/", false],
])("%s names a domain, by which publishers can block it: %s", (address, isFine) => {
  expect(PageAddress.safeParse(address).success).toBe(isFine);
});

test.each([
  ["a campaign's", PageAddress],
  ["a reward callback's", RewardSettings.shape.callback_url],
  ["a partner's", PartnerSettings.shape.endpoint],
])("%s address with letters beyond ASCII stays one, however many addresses are checked", (_, schema) => {
  const isFine = () => schema.safeParse("https://bücher.example/").success;
  expect(Array.from({ length: 20_000 }, isFine).every(Boolean)).toBe(true);
});
