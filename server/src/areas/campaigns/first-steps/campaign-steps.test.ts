import { CAMPAIGN_STEPS } from "@millrace/contract";
import { expect, test } from "vitest";
import { type CampaignFacts, campaignSteps } from "./campaign-steps.ts";

const NO_MONEY = { balanceMicros: 0, spentMicros: 0 };

const states = (facts: Partial<CampaignFacts> = {}) =>
  Object.fromEntries(
    campaignSteps({ campaigns: 0, moderation: [], spend: NO_MONEY, ...facts }).map(({ step, state }) => [step, state]),
  );

test("the steps of a new advertiser are in order, and none is done", () => {
  expect(Object.keys(states())).toEqual(CAMPAIGN_STEPS);
  expect(states()).toEqual({ campaign: "todo", balance: "todo", approved: "waiting", spend: "waiting" });
});

test("a campaign, money and an approved creative are done apart from each other", () => {
  expect(states({ campaigns: 1 })).toMatchObject({ campaign: "done", balance: "todo" });
  expect(states({ spend: { ...NO_MONEY, balanceMicros: 1 } })).toMatchObject({ campaign: "todo", balance: "done" });
  expect(states({ moderation: ["blocked", "approved"] })).toMatchObject({ approved: "done", spend: "waiting" });
});

test("approval fails only once every creative is blocked", () => {
  const of = (...moderation: CampaignFacts["moderation"]) => states({ moderation })["approved"];
  expect([of("new"), of("blocked", "edited"), of("blocked")]).toEqual(["waiting", "waiting", "failed"]);
});

test("with the first spend everything is done, whatever became of the campaign and the money", () => {
  expect(Object.values(states({ spend: { balanceMicros: 0, spentMicros: 1 } }))).toEqual([
    "done",
    "done",
    "done",
    "done",
  ]);
});
