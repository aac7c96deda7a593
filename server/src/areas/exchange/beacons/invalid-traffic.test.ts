import { expect, test } from "vitest";
import { invalidReason } from "./invalid-traffic.ts";

const valid = {
  kind: "click" as const,
  isTest: false,
  userAgent:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
  ageMs: 5000,
  hasImpression: true,
  ofDevice: 1,
  ofAddress: 1,
};

test.each([
  [{}, null],
  [{ isTest: true }, "test"],
  [{ userAgent: "" }, "user_agent_missing"],
  [{ userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }, "crawler"],
  [{ userAgent: "curl/8.5.0" }, "crawler"],
  [{ userAgent: "okhttp/4.12.0" }, null],
  [{ userAgent: "Puzzle/3.1 CFNetwork/1410.0.3 Darwin/22.6.0" }, null],
  [{ hasImpression: false }, "click_without_impression"],
  [{ ageMs: 50 }, "click_too_fast"],
  [{ kind: "impression" as const, ageMs: 50, hasImpression: false }, null],
  [{ ofDevice: 11 }, "device_flood"],
  [{ kind: "impression" as const, ofDevice: 11 }, null],
  [{ kind: "impression" as const, ofDevice: 121 }, "device_flood"],
  [{ ofAddress: 601 }, "address_flood"],
])("an event with %j is classified %s", (change, reason) => {
  expect(invalidReason({ ...valid, ...change })).toBe(reason);
});
