import { FIRST_STEPS } from "@millrace/contract";
import { expect, test } from "vitest";
import { type StepFacts, stepsOf } from "./steps-of.ts";

const none = { count: 0, since: null };
const some = (count: number) => ({ count, since: "2026-11-22" });
const partner = { active: true, enabled: true, keyed: ["banner" as const] };

const states = (facts: Partial<StepFacts> = {}) =>
  Object.fromEntries(
    stepsOf({
      moderation: "live",
      partners: [],
      counted: { sessions: none, requests: none, impressions: none },
      site: "no_site",
      ...facts,
    }).map(({ step, state }) => [step, state]),
  );

test("the steps of a new app are in order, and nothing but the app itself is done", () => {
  expect(Object.keys(states())).toEqual(FIRST_STEPS);
  expect(states()).toEqual({
    app: "done",
    demand: "todo",
    snippet: "waiting",
    request: "waiting",
    impression: "waiting",
    app_ads: "todo",
  });
});

test("an app is done once it is live, waits for moderation, and fails if it is banned", () => {
  expect([states({ moderation: "check" })["app"], states({ moderation: "banned" })["app"]]).toEqual([
    "waiting",
    "failed",
  ]);
});

test("demand is connected by a partner that auctions ask: active, with keys, and on", () => {
  const of = (...partners: StepFacts["partners"]) => states({ partners })["demand"];
  expect(of({ ...partner, keyed: [] }, { ...partner, enabled: false }, { ...partner, active: false })).toBe("todo");
  expect(of({ ...partner, enabled: false }, partner)).toBe("done");
  expect(stepsOf({ ...facts(), partners: [partner, partner] })[1]).toMatchObject({ count: 2 });
});

test("the first session or, without an SDK, the first request shows that the snippet is in", () => {
  const of = (counted: Partial<StepFacts["counted"]>) =>
    states({ counted: { sessions: none, requests: none, impressions: none, ...counted } });
  expect(of({ sessions: some(1) })).toMatchObject({ snippet: "done", request: "waiting" });
  expect(of({ requests: some(1) })).toMatchObject({ snippet: "done", request: "done", impression: "waiting" });
  expect(of({ requests: some(9), impressions: some(2) })).toMatchObject({ impression: "done" });
});

test("app-ads.txt waits while a known site lacks lines", () => {
  const of = (site: StepFacts["site"]) => states({ site })["app_ads"];
  expect([of("no_site"), of("checking"), of("missing"), of("found")]).toEqual(["todo", "waiting", "waiting", "done"]);
});

const facts = (): StepFacts => ({
  moderation: "live",
  partners: [],
  counted: { sessions: none, requests: none, impressions: none },
  site: "no_site",
});
