import type { Imp } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { deviceRefusal, osMajorOf, placeRefusal, scheduleRefusal } from "./campaign-targeting.ts";
import { eligibility } from "./eligibility.ts";
import type { AuctionInput, CampaignParticipant, DeviceFacts, Targeting } from "./input.ts";

const at = (moment: string) => Date.parse(moment);
const ALWAYS: Targeting = {
  startsAt: at("2026-01-01T00:00:00Z"),
  endsAt: null,
  days: [1, 2, 3, 4, 5, 6, 7],
  fromMinute: 0,
  toMinute: 1439,
  geo: "in",
  countries: ["DE", "FR"],
  platforms: ["iphone", "ipad", "android"],
  ios: null,
  android: null,
  wifiOnly: false,
  format: "banner",
  sizes: [{ w: 320, h: 50 }],
};
const PHONE: DeviceFacts = {
  country: "DE",
  platform: "android",
  osVersion: "14",
  network: "wifi",
  campaignPlatform: "android",
};

test.each<[string, Partial<Targeting>, string | undefined]>([
  // Start and end, to the millisecond.
  ["2026-02-28T13:59:59.999Z", { startsAt: at("2026-02-28T14:00:00Z") }, "not_started"],
  ["2026-02-28T14:00:00.000Z", { startsAt: at("2026-02-28T14:00:00Z") }, undefined],
  ["2026-02-28T13:59:59.999Z", { endsAt: at("2026-02-28T14:00:00Z") }, undefined],
  ["2026-02-28T14:00:00.000Z", { endsAt: at("2026-02-28T14:00:00Z") }, "over"],
  // Hours: from the first minute to the end of the last one.
  ["2026-03-03T08:59:59.999Z", { fromMinute: 540, toMinute: 1019 }, "off_hours"],
  ["2026-03-03T09:00:00.000Z", { fromMinute: 540, toMinute: 1019 }, undefined],
  ["2026-03-03T16:59:59.999Z", { fromMinute: 540, toMinute: 1019 }, undefined],
  ["2026-03-03T17:00:00.000Z", { fromMinute: 540, toMinute: 1019 }, "off_hours"],
  // Midnight, and the days of the week around it: 2 March 2026 is a Monday.
  ["2026-03-02T00:00:00.000Z", { days: [1] }, undefined],
  ["2026-03-02T23:59:59.999Z", { days: [1] }, undefined],
  ["2026-03-03T00:00:00.000Z", { days: [1] }, "off_hours"],
  ["2026-03-01T23:59:59.999Z", { days: [1] }, "off_hours"],
  ["2026-03-01T12:00:00.000Z", { days: [7] }, undefined],
  ["2026-03-02T23:59:59.999Z", { fromMinute: 0, toMinute: 1439 }, undefined],
  // Days on which clocks change in Berlin (23 and 25 hours) and New York: UTC's have 24.
  ["2026-03-29T01:30:00.000Z", { days: [7], fromMinute: 60, toMinute: 119 }, undefined],
  ["2026-03-29T02:00:00.000Z", { days: [7], fromMinute: 60, toMinute: 119 }, "off_hours"],
  ["2026-10-25T00:30:00.000Z", { days: [7], fromMinute: 60, toMinute: 119 }, "off_hours"],
  ["2026-10-25T01:30:00.000Z", { days: [7], fromMinute: 60, toMinute: 119 }, undefined],
  ["2026-10-25T23:59:59.999Z", { days: [7] }, undefined],
  ["2026-10-26T00:00:00.000Z", { days: [7] }, "off_hours"],
  ["2026-03-08T07:30:00.000Z", { days: [7], fromMinute: 450, toMinute: 450 }, undefined],
  ["2026-11-01T06:30:59.999Z", { days: [7], fromMinute: 390, toMinute: 390 }, undefined],
])("at %s a campaign with %j is %s", (moment, targeting, reason) => {
  expect(scheduleRefusal({ ...ALWAYS, ...targeting }, at(moment))).toBe(reason);
});

test.each<[Partial<DeviceFacts>, Partial<Targeting>, string | undefined]>([
  [{ country: "FR" }, {}, undefined],
  [{ country: "IT" }, {}, "geography"],
  [{ country: "XX" }, {}, "geography"],
  [{ country: null }, {}, "geography"],
  [{ country: "FR" }, { geo: "not_in" }, "geography"],
  [{ country: "IT" }, { geo: "not_in" }, undefined],
  [{ country: "XX" }, { geo: "not_in" }, undefined],
  [{ country: "IT" }, { geo: "not_in", countries: [] }, undefined],
  // Of a country with regions, these alone; of the others all.
  [{ country: "FR", region: "FR-BRE" }, { regions: ["FR-BRE", "FR-NOR"] }, undefined],
  [{ country: "FR", region: "FR-IDF" }, { regions: ["FR-BRE", "FR-NOR"] }, "region"],
  [{ country: "FR", region: null }, { regions: ["FR-BRE"] }, "region_unknown"],
  [{ country: "FR" }, { regions: ["FR-BRE"] }, "region_unknown"],
  [{ country: "DE", region: null }, { regions: ["FR-BRE"] }, undefined],
  [{ country: "IT", region: "IT-25" }, { regions: ["FR-BRE"] }, "geography"],
  [{ country: "FR", region: "FR-BRE" }, { geo: "not_in", regions: ["FR-BRE"] }, "region"],
  [{ country: "FR", region: "FR-IDF" }, { geo: "not_in", regions: ["FR-BRE"] }, undefined],
  [{ country: "FR", region: null }, { geo: "not_in", regions: ["FR-BRE"] }, "region_unknown"],
  [{ country: "DE" }, { geo: "not_in", regions: ["FR-BRE"] }, "geography"],
  [{ country: "IT", region: null }, { geo: "not_in", regions: ["FR-BRE"] }, undefined],
  [{ country: "XX", region: null }, { geo: "not_in", regions: ["FR-BRE"] }, undefined],
  [{ campaignPlatform: "android" }, { platforms: ["iphone", "ipad"] }, "platform"],
  [{ campaignPlatform: "ipad" }, { platforms: ["iphone"] }, "platform"],
  [{ campaignPlatform: "iphone" }, { platforms: ["iphone"] }, undefined],
  [{ campaignPlatform: null }, {}, "platform"],
  [{ osVersion: "11" }, { android: { min: 12, max: 14 } }, "os_version"],
  [{ osVersion: "12.0.1" }, { android: { min: 12, max: 14 } }, undefined],
  [{ osVersion: "14" }, { android: { min: 12, max: 14 } }, undefined],
  [{ osVersion: "15" }, { android: { min: 12, max: 14 } }, "os_version"],
  [{ osVersion: null }, { android: { min: 12, max: 14 } }, "os_version"],
  [{ osVersion: "Pie" }, { android: { min: 12, max: 14 } }, "os_version"],
  [{ osVersion: null }, {}, undefined],
  // The range of the other system does not matter.
  [{ osVersion: "14" }, { ios: { min: 16, max: 18 } }, undefined],
  [{ campaignPlatform: "ipad", osVersion: "15.8" }, { ios: { min: 16, max: 18 } }, "os_version"],
  [{ campaignPlatform: "iphone", osVersion: "26.1" }, { ios: { min: 16, max: 26 } }, undefined],
  [{ network: "wifi" }, { wifiOnly: true }, undefined],
  [{ network: "cellular" }, { wifiOnly: true }, "network"],
  [{ network: "ethernet" }, { wifiOnly: true }, "network"],
  [{ network: null }, { wifiOnly: true }, "network"],
  [{ network: null }, {}, undefined],
  // Of several reasons, the first in the order of the fields.
  [{ country: "IT", campaignPlatform: "ipad", network: null }, { platforms: ["iphone"], wifiOnly: true }, "geography"],
])("for a device with %j a campaign with %j is refused for: %s", (device, targeting, reason) => {
  expect(deviceRefusal({ ...ALWAYS, ...targeting }, { ...PHONE, ...device })).toBe(reason);
});

const banner = (...format: { w: number; h: number }[]): Imp => ({ id: "1", banner: { format } });
const full: Imp = { id: "1", instl: 1, banner: { format: [{ w: 360, h: 800 }] } };
const video: Imp = { id: "1", instl: 1, video: { mimes: ["video/mp4"] } };

test.each([
  ["a banner takes its size", banner({ w: 320, h: 50 }), "banner", {}, undefined],
  ["a banner takes one of its sizes", banner({ w: 300, h: 250 }, { w: 320, h: 50 }), "banner", {}, undefined],
  ["a banner takes no other size", banner({ w: 300, h: 50 }), "banner", {}, "size"],
  ["a banner without sizes takes all", { id: "1", banner: {} }, "banner", {}, undefined],
  ["a full screen takes an image", full, "interstitial", { format: "image", sizes: [] }, undefined],
  ["a full screen takes no banner", full, "interstitial", {}, "format"],
  ["a full screen for video takes no image", video, "interstitial", { format: "image", sizes: [] }, "format"],
  ["a rewarded place takes no image", { ...full, rwdd: 1 }, "rewarded", { format: "image", sizes: [] }, "format"],
  ["a banner takes no full-screen image", banner({ w: 320, h: 50 }), "banner", { format: "image" }, "format"],
  ["a native place takes no banner", { id: "1", native: { request: "{}" } }, "native", {}, "format"],
] as const)("%s", (_, imp, format, targeting, reason) => {
  expect(placeRefusal({ ...ALWAYS, ...targeting }, { imp, format })).toBe(reason);
});

test.each([
  ["17.4.1", 17],
  ["14", 14],
  [" 9", 9],
  ["10 (Q)", 10],
  ["", null],
  [null, null],
  ["v12", null],
  ["123456", null],
])("the major version of %j is %j", (version, major) => {
  expect(osMajorOf(version)).toBe(major);
});

const inputWith = (campaign: Partial<CampaignParticipant>, more: Partial<AuctionInput> = {}): AuctionInput => ({
  id: "auction",
  at: at("2026-03-03T12:00:00Z"),
  seed: "seed",
  configVersion: "1",
  deadlineMs: 100,
  request: { id: "auction", imp: [banner({ w: 320, h: 50 }), { ...banner({ w: 320, h: 50 }), id: "2" }], app: {} },
  app: { id: "app", live: true, blockedCategories: [], blockedAdvertisers: [], floors: [], childDirected: false },
  device: PHONE,
  consent: { gdprApplies: true, vendorIds: [] },
  participants: [
    { kind: "campaign", id: "campaign-1", name: "Boats", targeting: ALWAYS, impIds: ["1", "2"], ...campaign },
  ],
  ...more,
});

test("a campaign bids on the imps it was chosen for, and needs no consent", () => {
  expect(eligibility(inputWith({ impIds: ["2"] }))).toMatchObject({
    eligible: [{ participantId: "campaign-1", impIds: ["2"] }],
    refused: [],
  });
});

test("a gate keeps a campaign from the imps that it names", () => {
  expect(eligibility(inputWith({ gates: [{ impId: "1", reason: "frequency_cap" }] }))).toMatchObject({
    eligible: [{ participantId: "campaign-1", impIds: ["2"] }],
    refused: [{ participantId: "campaign-1", impId: "1", reason: "frequency_cap" }],
  });
});

test("targeting is looked at before the gates", () => {
  const gates = [{ impId: "1", reason: "budget_spent" }] as const;
  const refusals = (targeting: Partial<Targeting>) =>
    eligibility(inputWith({ impIds: ["1"], gates, targeting: { ...ALWAYS, ...targeting } })).refused;
  expect(refusals({ days: [1] })).toEqual([{ participantId: "campaign-1", reason: "off_hours" }]);
  expect(refusals({ sizes: [] })).toEqual([{ participantId: "campaign-1", impId: "1", reason: "size" }]);
  expect(refusals({})).toEqual([{ participantId: "campaign-1", impId: "1", reason: "budget_spent" }]);
});

test("a campaign bids in dollars only, and in no app that is not live", () => {
  const { request, app } = inputWith({});
  expect(eligibility(inputWith({}, { request: { ...request, cur: ["EUR"] } })).refused).toEqual([
    { participantId: "campaign-1", reason: "currency_unsupported" },
  ]);
  expect(eligibility(inputWith({}, { app: { ...app, live: false } })).refused).toEqual([
    { participantId: "campaign-1", reason: "app_not_live" },
  ]);
});
