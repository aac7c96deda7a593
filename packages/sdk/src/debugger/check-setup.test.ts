import { expect, test } from "vitest";
import { appAdsLine, checkSetup, isNewer, type SetupFacts } from "./check-setup.ts";
import type { DebugReply } from "./read-debug-reply.ts";
import { adapterLines, partnerLines, zoneLines } from "./reply-lines.ts";

const FACTS: SetupFacts = {
  version: "1.0.0",
  latest: "1.0.0",
  startStatus: 200,
  startError: null,
  hasSession: true,
  isSwitchedOff: false,
  isTest: false,
  device: { os: "android", ifa: "38400000-8cf0-11bd-b23e-10b96e40000d", lmt: 0 },
  consent: {},
  storage: "kept",
};
const TOLD: DebugReply = {
  app: { uuid: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", name: "Puzzle", is_live: true, is_switched_off: false },
  token_expires_at: "2026-11-24T11:00:00.000Z",
  latest_sdk_version: "1.0.0",
  app_ads: "found",
  zones: [],
  partners: [],
  adapters: [],
  auctions: [],
};

const line = (name: string, facts: Partial<SetupFacts> = {}, told: DebugReply | null = null) => {
  const found = checkSetup({ ...FACTS, ...facts }, told).find((each) => each.name === name);
  return [found?.state, found?.text];
};
const app = (of: Partial<DebugReply["app"]>): DebugReply => ({ ...TOLD, app: { ...TOLD.app, ...of } });

test("a right set-up has no problem, with and without a token", () => {
  for (const told of [null, TOLD]) {
    expect(checkSetup(FACTS, told).filter(({ state }) => state === "bad" || state === "unknown")).toEqual([]);
  }
});

test("versions are compared by their parts, not as texts", () => {
  expect([isNewer("1.10.0", "1.9.0"), isNewer("1.0.0", "1.0.0"), isNewer("1.0.0", "2.0.0")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(line("SDK version", { latest: "1.0.10" })).toEqual(["note", "1.0.0; 1.0.10 is the newest."]);
  expect(line("SDK version", { latest: null })[0]).toBe("unknown");
});

test("the app's state names what keeps it from getting ads", () => {
  expect(line("App", { startStatus: 404, hasSession: false })).toEqual([
    "bad",
    "The platform knows no app with this key.",
  ]);
  expect(line("App", { startStatus: 0, hasSession: false })).toEqual(["bad", "The start failed: no answer."]);
  expect(line("App", { isSwitchedOff: true }, TOLD)[0]).toBe("bad");
  expect(line("App", {}, app({ is_switched_off: true }))[0]).toBe("bad");
  expect(line("App", {}, app({ is_live: false }))[1]).toContain("not approved yet");
  expect(line("App", { startStatus: null, hasSession: false })[0]).toBe("unknown");
  expect(line("Configuration", { hasSession: false, startStatus: 500 })[0]).toBe("bad");
});

test("consent is told as it was read, and a missing string where the GDPR applies is a problem", () => {
  expect(line("Consent: TCF")[0]).toBe("note");
  expect(line("Consent: TCF", { consent: { gdpr: 0 } })[0]).toBe("good");
  expect(line("Consent: TCF", { consent: { gdpr: 1 } })[0]).toBe("bad");
  expect(line("Consent: TCF", { consent: { gdpr: 1, tcf: "CPok" } })).toEqual([
    "good",
    "The GDPR applies, with the string CPok.",
  ]);
  expect(line("Consent: TCF", { consent: { gdpr: 1, tcf: "C".repeat(40) } })[1]).toContain("(40 characters)");
  expect(line("Consent: GPP", { consent: { gpp: "DBAA", gpp_sid: [2, 7] } })[1]).toBe("DBAA, sections 2, 7.");
  expect(line("COPPA", { consent: { coppa: 1 } })[1]).toBe("The user is a child.");
  expect(line("Consent", { consent: "pending" })[0]).toBe("note");
  expect(line("Consent", { consent: "failed" })[0]).toBe("bad");
});

test("the line of the advertising id says whether it leaves the device", () => {
  const { device } = FACTS;
  expect(line("Advertising id")[1]).toBe("Sent.");
  expect(line("Advertising id", { device: { ...device, lmt: 1 } })[1]).toBe(
    "Tracking is limited (LMT). Stays on the device.",
  );
  expect(line("Advertising id", { device: { ...device, att_status: 2 } })[1]).toBe(
    "Tracking status (ATT): 2. Stays on the device.",
  );
  expect(line("Advertising id", { consent: { us_privacy: "1YYN" } })[1]).toBe("Stays on the device.");
  expect(line("Advertising id", { device: { os: "web" } })[1]).toBe("The app gives none.");
});

test("a test mode that is on and storage in memory alone are noted", () => {
  expect([line("Test mode", { isTest: true })[0], line("Storage", { storage: "memory" })[0]]).toEqual(["note", "note"]);
});

test.each([
  ["found", "good"],
  ["missing", "bad"],
  ["no_site", "bad"],
  ["checking", "unknown"],
  ["later", "unknown"],
  ["toString", "unknown"],
])("an app-ads.txt that is %s is %s", (app_ads, state) => {
  expect(appAdsLine({ ...TOLD, app_ads: app_ads as DebugReply["app_ads"] }).state).toBe(state);
});

test("a zone of another format than the page asks for is a problem", () => {
  const zones = [{ zone: "home", name: "Home", format: "video" as const, refresh_seconds: 30 }];
  const states = (asked: { zone: string; format: string }[], told: DebugReply | null = { ...TOLD, zones }) =>
    zoneLines(told, asked).map(({ name, state }) => [name, state]);
  expect(states([{ zone: "home", format: "banner" }])).toEqual([["home", "bad"]]);
  expect(states([{ zone: "home", format: "video" }])).toEqual([["home", "good"]]);
  expect(states([])).toEqual([["home", "note"]]);
  expect(states([{ zone: "new", format: "video" }])).toEqual([
    ["new", "note"],
    ["home", "note"],
  ]);
  expect(states([{ zone: "new", format: "video" }], null)).toEqual([["new", "unknown"]]);
});

test("partners come with the reason that keeps them from being asked, those without keys apart", () => {
  const partner = {
    provider: "a",
    name: "A",
    is_on: true,
    has_banner_keys: true,
    has_video_keys: true,
    is_paused: false,
  };
  const { withKeys, withoutKeys } = partnerLines({
    ...TOLD,
    partners: [
      partner,
      { ...partner, name: "Off", is_on: false },
      { ...partner, name: "Paused", is_paused: true },
      { ...partner, name: "Keyless", has_banner_keys: false, has_video_keys: false },
    ],
  });
  expect(withKeys.map(({ name, state }) => [name, state])).toEqual([
    ["A", "good"],
    ["Off", "note"],
    ["Paused", "bad"],
  ]);
  expect(withoutKeys.map(({ name }) => name)).toEqual(["Keyless"]);
});

test("an adapter that a line item needs and the app has not registered is a problem", () => {
  const adapters = ["Morning", "Evening"].map((line_item) => ({
    adapter: "Cedar",
    line_item,
    format: "video" as const,
  }));
  const told = { ...TOLD, adapters };
  expect(adapterLines(told, [])).toMatchObject([
    { name: "Cedar", state: "bad", text: expect.stringContaining("Morning, Evening") },
  ]);
  expect(adapterLines(told, ["Cedar", "Larch"]).map(({ name, state }) => [name, state])).toEqual([
    ["Cedar", "good"],
    ["Larch", "note"],
  ]);
});
