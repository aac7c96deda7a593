import { expect, test } from "vitest";
import { creativeState, isRunning, switchedStatus } from "./campaign-status.ts";

test.each(["active", "play", "wait", "done"])("a campaign that is %s runs, and the switch freezes it", (status) => {
  expect(isRunning(status)).toBe(true);
  expect(switchedStatus(status)).toBe("frozen");
});

test.each(["pause", "frozen", "delete"])(
  "a campaign that is %s does not run, and the switch makes it active",
  (status) => {
    expect(isRunning(status)).toBe(false);
    expect(switchedStatus(status)).toBe("active");
  },
);

test.each([
  ["frozen", "moderated"],
  ["moderated", "moderated"],
  ["active", "active"],
  ["blocked", "blocked"],
  ["edited", "edited"],
  ["new", "new"],
  ["", "new"],
  ["constructor", "new"],
  [null, "new"],
] as const)("a creative that is “%s” is shown as %s", (status, shown) => {
  expect(creativeState(status)).toBe(shown);
});
