import { expect, test } from "vitest";
import { inhouseStatus } from "./inhouse-status.ts";

const [live, waiting, banned] = (["live", "check", "banned"] as const).map((moderation) => ({ moderation })) as [
  { moderation: "live" },
  { moderation: "check" },
  { moderation: "banned" },
];

test.each([
  ["is shown in a live app", {}, "play", null],
  ["is shown while one of its apps is live", { shownIn: [banned, waiting, live] }, "play", null],
  ["promotes an app that is still moderated", { promoted: waiting }, "play", null],
  ["is frozen by its owner, whatever else", { frozen: true, promoted: null, shownIn: [] }, "frozen", null],
  ["lost the app that it promotes", { promoted: null }, "pause", "The promoted app was deleted."],
  ["promotes a banned app", { promoted: banned }, "pause", "The promoted app is banned."],
  ["lost its apps", { shownIn: [] }, "pause", "The apps that showed it were deleted. Choose others."],
  ["has banned apps only", { shownIn: [banned] }, "pause", "The apps that show it are banned."],
  ["waits for its apps", { shownIn: [banned, waiting] }, "wait", "The apps that show it are waiting for moderation."],
] as const)("an in-house campaign that %s", (_, some, campaign_status, status_reason) => {
  expect(inhouseStatus({ frozen: false, promoted: live, shownIn: [live], ...some })).toEqual({
    campaign_status,
    status_reason,
  });
});
