import type { Spending } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { CampaignsPage } from "../pages/campaigns-page.tsx";
import { openEdit } from "../testing/open-form.tsx";
import { openPage } from "../testing/open-page.tsx";
import { UUID, someList, someRow } from "../testing/some-campaign.ts";

const CALL = `GET /campaign/${UUID}/spending.json`;
const ANSWER: Spending = {
  days: { ds: "2026-11-19", de: "2026-11-20" },
  opportunities: 1000,
  parts: [
    { reason: "geography", auctions: 600, text: "In countries that it does not target", advice: null },
    {
      reason: "outbid",
      auctions: 300,
      text: "Another bid was higher",
      advice: "Raise the bid: the median winning price there was $3.09.",
    },
    {
      reason: "balance_spent",
      auctions: 25,
      text: "The campaign balance was spent",
      advice: "Refill the campaign balance: contact support.",
    },
    { reason: "won", auctions: 75, text: "Won", advice: null },
  ],
  main: "outbid",
  better_bid: 3_100_000,
};

beforeAll(() => Promise.all([import("./spending.tsx"), import("./spending-modal.tsx")]));

test("the list tells where a campaign's opportunities of its days went, each reason with its share and what to do", async () => {
  const sent = answerCalls({ "GET /campaign": () => someList([someRow()]), [CALL]: () => ANSWER });
  await openPage(() => <CampaignsPage />, "/campaign", "/campaign?ds=2026-11-01&de=2026-11-02");
  await userEvent.click(await screen.findByRole("button", { name: "Why is it not spending more? Autumn" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Why is Autumn not spending more?" }));
  const parts = within(await dialog.findByRole("list", { name: "Opportunities by reason" })).getAllByRole("listitem");
  expect(parts.map((part) => part.textContent)).toEqual([
    "In countries that it does not target60060.0%",
    "Another bid was higher30030.0%",
    "The campaign balance was spentRefill the campaign balance: contact support.252.5%",
    "Won757.5%",
  ]);
  expect(dialog.getByText("Raise the bid: the median winning price there was $3.09.")).toBeTruthy();
  expect(dialog.getByRole("link", { name: "contact support" })).toBeTruthy();
  expect(sent(CALL)[0]?.query.get("ds")).toBe("2026-11-01");
  // No bid can be changed in the list.
  expect(dialog.queryByRole("button", { name: /instead/ })).toBeNull();
});

test("a frozen campaign is said to be frozen before anything else", async () => {
  const frozen: Spending = { ...ANSWER, frozen: true, main: null };
  answerCalls({ "GET /campaign": () => someList([someRow()]), [CALL]: () => frozen });
  await openPage(() => <CampaignsPage />, "/campaign", "/campaign?ds=2026-11-01&de=2026-11-02");
  await userEvent.click(await screen.findByRole("button", { name: "Why is it not spending more? Autumn" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Why is Autumn not spending more?" }));
  expect((await dialog.findByText("The campaign is frozen.")).parentElement?.textContent).toBe(
    "The campaign is frozen. It takes part in no auction until it is activated.",
  );
});

test("the form takes over a bid that would have won more, and is unsaved then", async () => {
  await openEdit({ [CALL]: () => ANSWER });
  await userEvent.click(await screen.findByRole("button", { name: "Bid $3.10 instead" }));
  expect(screen.getByLabelText("Bid (CPM)")).toHaveProperty("value", "3.10");
});

test("without opportunities it says so, and a failure can be asked again", async () => {
  let answer: unknown = refused(503, "Statistics are not available right now");
  await openEdit({ [CALL]: () => answer });
  const panel = within(await screen.findByRole("region", { name: "Why is it not spending more?" }));
  expect(await panel.findByText(/Statistics are not available right now/)).toBeTruthy();
  answer = { ...ANSWER, opportunities: 0, parts: [], main: null, better_bid: null } satisfies Spending;
  await userEvent.click(panel.getByRole("button", { name: /Try/ }));
  expect(await panel.findByText(/no auctions of its format are recorded/)).toBeTruthy();
});
