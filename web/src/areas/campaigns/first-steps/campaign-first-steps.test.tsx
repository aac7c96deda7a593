import type { CampaignFirstSteps as Steps, CampaignStep, Session } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { CampaignsPage } from "../pages/campaigns-page.tsx";
import { advertiser, openPage } from "../testing/open-page.tsx";
import { someList, someRow } from "../testing/some-campaign.ts";

const STEPS = "GET /campaign/first_steps.json";
const MONEY = "POST /payment/demo_money";
const DEMO = { demo: { running: true, history_progress: 1 } };

// Preloads the lazy part, so that no test waits for it.
beforeAll(() => import("./campaign-first-steps.tsx"));

const someSteps = (
  states: Partial<Record<CampaignStep["step"], CampaignStep["state"]>> = {},
  more: Partial<Steps> = {},
): Steps => ({
  steps: [
    { step: "campaign", state: states.campaign ?? "todo" },
    { step: "balance", state: states.balance ?? "todo" },
    { step: "approved", state: states.approved ?? "waiting" },
    { step: "spend", state: states.spend ?? "waiting" },
  ],
  spent: 0,
  since: null,
  held_by: null,
  ...more,
});

/** A list whose campaigns have bought nothing in its days. */
const idle = () => ({ ...someList([]), totals: { impressions: 0, clicks: 0, conversions: 0, costs: 0 } });

async function open(
  reply: () => unknown,
  more: { session?: Partial<Session>; answers?: Parameters<typeof answerCalls>[0] } = {},
) {
  const sent = answerCalls({ "GET /campaign": idle, [STEPS]: reply, ...more.answers });
  const page = await openPage(() => <CampaignsPage />, "/campaign", "/campaign", advertiser(more.session));
  return { ...page, sent };
}
const region = () => screen.findByRole("region", { name: "First steps" });
const lines = async () =>
  within(await region())
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);

test("a new advertiser sees what to do first: a campaign, and money from support", async () => {
  await open(() => someSteps());
  const [campaign, balance, approved, spend] = await lines();
  expect(campaign).toMatch(/^1To do: Add a campaign.*Add the campaign$/);
  expect(balance).toMatch(/^2To do: Fill the balance.*contact support\.$/);
  expect(approved).toMatch(/^3Waiting: Approval of a creative.*You get a mail about the decision\.$/);
  expect(spend).toBe("4Waiting: First spendWaiting for the first impression");
  expect(
    within(await region())
      .getByRole("link", { name: "Add the campaign" })
      .getAttribute("href"),
  ).toBe("/campaign/add");
  expect(screen.getByText("0 of 4 done")).toBeTruthy();
});

test("steps tick while one watches, the last one says what holds the campaign up, and then they go", async () => {
  const ready = { campaign: "done", balance: "done", approved: "done" } as const;
  let steps = someSteps({ campaign: "done" });
  const { queryClient } = await open(() => steps);
  expect((await lines())[0]).toContain("Done: Campaign added");
  steps = someSteps(ready, { held_by: "It starts on Nov 30th, 2026, 14:00 UTC." });
  await queryClient.refetchQueries();
  await screen.findByText("3 of 4 done");
  expect((await lines())[3]).toContain("Waiting for the first impression. It starts on Nov 30th, 2026, 14:00 UTC.");
  steps = someSteps({ ...ready, spend: "done" }, { spent: 1250, since: "2026-11-30" });
  await queryClient.refetchQueries();
  await waitFor(() => expect(screen.queryByRole("region", { name: "First steps" })).toBeNull());
});

test("in a demo one click fills the balance, a refusal says why, and the words say who approves", async () => {
  let answer: () => unknown = () => refused(409, "The balance already has $1,000.00 or more");
  let steps = someSteps();
  await open(() => steps, { session: DEMO, answers: { [MONEY]: () => answer() } });
  const fill = await screen.findByRole("button", { name: "Fill up to $1,000.00 of demo money" });
  expect((await lines())[2]).toContain("that is the admin, whose login was printed at the start");
  await userEvent.click(fill);
  expect(await screen.findByText("The balance already has $1,000.00 or more")).toBeTruthy();
  answer = () => {
    steps = someSteps({ balance: "done" });
    return { balance: 1_000_000_000 };
  };
  await userEvent.click(fill);
  expect(await screen.findByText("Balance filled")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /demo money/ })).toBeNull();
});

test("blocked creatives say where to read why", async () => {
  await open(() => someSteps({ campaign: "done", approved: "failed" }));
  expect((await lines())[2]).toMatch(/Failed: All creatives blocked.*Edit the campaign to see why/);
});

test("a guest reads the steps and can do nothing about them", async () => {
  await open(() => someSteps(), { session: { ...DEMO, role: "GST" } });
  const steps = await region();
  expect(within(steps).queryByRole("link", { name: "Add the campaign" })).toBeNull();
  expect(within(steps).queryByRole("button")).toBeNull();
});

test("an account that has bought something in these days is not asked about", async () => {
  const bought = someRow();
  const { sent } = await open(() => someSteps(), { answers: { "GET /campaign": () => someList([bought]) } });
  await screen.findByText(bought.name);
  expect(sent(STEPS)).toHaveLength(0);
});
