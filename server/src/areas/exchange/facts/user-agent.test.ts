import { expect, test } from "vitest";
import { userAgentFacts } from "./user-agent.ts";

const chrome = (system: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36`;
const webkit = (system: string, rest: string) =>
  `Mozilla/5.0 (${system} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${rest}`;
const SAFARI_26 = "Version/26.1 Mobile/15E148 Safari/604.1";
const SAFARI_18 = "Version/18.6 Mobile/15E148 Safari/604.1";
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  ["Chrome's reduced user agent", chrome("Linux; Android 10; K"), "Android", undefined],
  ["an Android 10 that names its device", chrome("Linux; Android 10; SM-A107F"), "Android", "10"],
  ["an Android 14", chrome("Linux; Android 14; Pixel 8"), "Android", "14"],
  ["Safari 26 on an iPhone", webkit("iPhone; CPU iPhone OS 18_6", SAFARI_26), "iOS", "26.1"],
  ["Safari 26 on an iPad", webkit("iPad; CPU OS 18_7", SAFARI_26), "iOS", "26.1"],
  ["Safari on iOS 18.6", webkit("iPhone; CPU iPhone OS 18_6_2", SAFARI_18), "iOS", "18.6.2"],
  ["a web view on iOS 18.6 or later", webkit("iPhone; CPU iPhone OS 18_6", "Mobile/15E148"), "iOS", undefined],
  ["Firefox on any iOS", webkit("iPhone; CPU iPhone OS 18_7", "FxiOS/145.0 Mobile/15E148"), "iOS", undefined],
  ["a web view on iOS 17.5", webkit("iPhone; CPU iPhone OS 17_5_1", "Mobile/15E148"), "iOS", "17.5.1"],
  ["Safari on a Mac", `${MAC} Version/26.0 Safari/605.1.15`, "macOS", undefined],
  ["a Mac that is older than the freeze", MAC.replace("10_15_7", "10_14_6"), "macOS", "10.14.6"],
])("the version of the system, as %s tells it", (_, userAgent, os, osv) => {
  expect(userAgentFacts(userAgent)).toMatchObject({ os });
  expect(userAgentFacts(userAgent).osv).toBe(osv);
});
