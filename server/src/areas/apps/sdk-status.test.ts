import { SDK_STATUSES } from "@millrace/contract";
import { DAY_MS } from "@millrace/units";
import { expect, test } from "vitest";
import { isOlder, sdkStatus } from "./sdk-status.ts";

const now = Date.parse("2026-11-19T12:00:00Z");
const app = { moderation: "live", inDev: false, sdkVersion: "1.10.0", sdkSeenAt: new Date(now) } as const;
const status = (facts: Partial<Parameters<typeof sdkStatus>[0]>) =>
  Object.values(sdkStatus({ ...app, ...facts }, "1.10.0", now)).join(" ");

test("an app's SDK is on while it is seen, and needs an update if it is old", () => {
  expect(status({})).toBe("on success");
  expect(status({ sdkVersion: "1.9.9" })).toBe("update warning");
  expect(status({ sdkVersion: "2.0.0" })).toBe("on success");
  expect(status({ sdkSeenAt: new Date(now - 30 * DAY_MS) })).toBe("on success");
  expect(status({ sdkSeenAt: new Date(now - 31 * DAY_MS) })).toBe("off danger");
});

test("until an SDK has been seen, the status names the first step", () => {
  const unseen = { sdkVersion: null, sdkSeenAt: null };
  expect(status(unseen)).toBe("check success");
  expect(status({ ...unseen, inDev: true })).toBe("download danger");
});

test("moderation takes precedence over the SDK's status", () => {
  expect(status({ moderation: "banned" })).toBe("bad danger");
  expect(status({ moderation: "check" })).toBe("check warning");
});

test("every status is reachable", () => {
  const seen = [
    status({}),
    status({ sdkVersion: "1.0.0" }),
    status({ moderation: "check" }),
    status({ sdkSeenAt: new Date(0) }),
    status({ sdkVersion: null, inDev: true }),
    status({ moderation: "banned" }),
  ].map((both) => both.split(" ")[0]);
  expect(new Set(seen)).toEqual(new Set(SDK_STATUSES));
});

test("versions are compared number by number", () => {
  expect([
    isOlder("1.9.0", "1.10.0"),
    isOlder("1.10.0", "1.9.0"),
    isOlder("1.0", "1.0.1"),
    isOlder("1.0.0", "1.0.0"),
  ]).toEqual([true, false, true, false]);
});
