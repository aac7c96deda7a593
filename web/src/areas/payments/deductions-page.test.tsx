import type { Deduction, Session } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { SESSION_KEY } from "../../shared/session.ts";
import { answerCalls, refused } from "../../testing/answer-calls.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { somePager } from "../../testing/some-apps.ts";
import { someSession } from "../../testing/some-session.ts";
import { DeductionsPage } from "./deductions-page.tsx";

async function open(address = "/payment/deductions", session: Partial<Session> = {}) {
  const page = await renderPage(() => <DeductionsPage />, "/payment/deductions", address);
  page.queryClient.setQueryData(SESSION_KEY, someSession(session));
  return page;
}

const UUID = "00000000-0000-4000-8000-000000000001";
const AUCTION = "00000000-0000-4000-8000-0000000000a1";
const NOTED: Deduction = {
  uuid: UUID,
  noted_at: "2026-11-20T10:00:00.000Z",
  day: "2026-11-12",
  reason: "discrepancy",
  explanation: "Aurora counted fewer impressions",
  app: { uuid: "00000000-0000-4000-8000-000000000002", name: "Tide Puzzle", platform: "ios" },
  provider: "aurora",
  provider_name: "Aurora Exchange",
  amount: 1_250_000,
  state: "noted",
  dispute_until: "2026-12-04",
  can_dispute: true,
  auctions: [AUCTION],
  dispute: null,
  answer: null,
};
const UPHELD: Deduction = {
  ...NOTED,
  uuid: "00000000-0000-4000-8000-000000000003",
  reason: "invalid_traffic",
  explanation: "Clicks from a data centre",
  provider: null,
  provider_name: null,
  amount: 40,
  state: "upheld",
  can_dispute: false,
  auctions: [],
  dispute: { text: "My players\nare real", at: "2026-11-21T10:00:00.000Z" },
  answer: { text: "They came from one rack", at: "2026-11-22T09:30:00.000Z" },
};
const late: Deduction = {
  ...NOTED,
  uuid: "00000000-0000-4000-8000-000000000004",
  can_dispute: false,
  dispute_until: "2026-11-01",
};
const listOf = (deductions: Deduction[]) => ({
  held_back: 1_250_040,
  given_back: 3_000_000,
  deductions,
  pager: somePager(),
});
const NAME = "the deduction of $1.25 from Tide Puzzle on Nov 12th, 2026";
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

test("each deduction says its day, reason, app, partner, state, amount and last day to dispute", async () => {
  answerCalls({ "GET /payment/deductions.json": () => listOf([NOTED, UPHELD, late]) });
  await open();
  const table = await screen.findByRole("table", { name: "List of deductions" });
  const rows = within(table).getAllByRole("row").slice(1) as HTMLTableRowElement[];
  expect(rows.map(({ cells }) => [...cells].slice(0, 6).map(({ textContent }) => textContent))).toEqual([
    [
      "Nov 12th, 2026",
      "The partner counted lessAurora counted fewer impressions",
      "Tide PuzzleiOS",
      "Aurora Exchange",
      "Can be disputed until Dec 4th, 2026",
      "$1.25",
    ],
    ["Nov 12th, 2026", "Invalid trafficClicks from a data centre", "Tide PuzzleiOS", "–", "Upheld, stands", "$0.00004"],
    [
      "Nov 12th, 2026",
      "The partner counted lessAurora counted fewer impressions",
      "Tide PuzzleiOS",
      "Aurora Exchange",
      "Stands, not disputed until Nov 1st, 2026",
      "$1.25",
    ],
  ]);
  expect(screen.getByText("Held back $1.25004, given back $3.00")).toBeTruthy();
  expect(await screen.findAllByRole("button", { name: /^Dispute/ })).toHaveLength(1);
});

test("the dispute and its answer are read in full, and each sample auction is explained over them", async () => {
  answerCalls({
    "GET /payment/deductions.json": () => listOf([NOTED, UPHELD]),
    [`GET /auctions/${AUCTION}.json`]: () => refused(404, "There is no such auction"),
  });
  await open();
  await userEvent.click((await screen.findAllByRole("button", { name: /^Details/ }))[1]!);
  const upheld = await dialog("Deduction");
  expect(upheld.getByText(/^My players/).textContent).toBe("My players\nare real");
  expect(upheld.getByText("Answer, Nov 22nd, 2026, 09:30 UTC:")).toBeTruthy();
  expect(upheld.getByText("They came from one rack")).toBeTruthy();
  expect(upheld.queryByRole("button", { name: "Send dispute" })).toBeNull();
  await userEvent.click(upheld.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: `Details ${NAME}` }));
  const noted = await dialog("Deduction");
  await userEvent.click(noted.getByRole("button", { name: AUCTION }));
  const drawer = await dialog("A sample of Tide Puzzle on Nov 12th, 2026");
  await drawer.findByText("No record of this auction found");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.getAllByRole("dialog")).toHaveLength(1));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a deduction is disputed with a text, until its last day, and the list shows it; errors are at the field", async () => {
  let deduction = NOTED;
  let away = true;
  const sent = answerCalls({
    "GET /payment/deductions.json": () => listOf([deduction]),
    [`POST /payment/deductions/${UUID}/dispute`]: ({ body }) => {
      if (away) return refused(400, { text: "Write more" });
      const { text } = body as { text: string };
      deduction = { ...NOTED, state: "disputed", can_dispute: false, dispute: { text, at: NOTED.noted_at } };
      return { ok: 1 };
    },
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: `Dispute ${NAME}` }));
  const form = await dialog("Dispute deduction");
  expect(
    form.getByText("You can dispute this once, until Dec 4th, 2026 (UTC): 14 days after it was noted."),
  ).toBeTruthy();
  await userEvent.click(form.getByRole("button", { name: "Send dispute" }));
  expect(form.getByText("This field is required")).toBeTruthy();
  await userEvent.type(form.getByLabelText("Why is it wrong?"), "My players are real");
  await userEvent.click(form.getByRole("button", { name: "Send dispute" }));
  expect(await form.findByText("Write more")).toBeTruthy();
  away = false;
  await userEvent.click(form.getByRole("button", { name: "Send dispute" }));
  expect(await screen.findByText("Your dispute was sent. You will get the answer by mail, and here.")).toBeTruthy();
  expect(await screen.findByText("Disputed, waits for an answer")).toBeTruthy();
  expect(sent(`POST /payment/deductions/${UUID}/dispute`).at(-1)?.body).toEqual({ text: "My players are real" });
  expect(screen.queryByRole("button", { name: `Dispute ${NAME}` })).toBeNull();
});

test("a dispute that comes too late says so in the dialog, and the list is read again", async () => {
  const sent = answerCalls({
    "GET /payment/deductions.json": () => listOf([NOTED]),
    [`POST /payment/deductions/${UUID}/dispute`]: () =>
      refused(409, "This deduction could be disputed until Dec 4th, 2026"),
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: `Dispute ${NAME}` }));
  const form = await dialog("Dispute deduction");
  await userEvent.type(form.getByLabelText("Why is it wrong?"), "Too late");
  await userEvent.click(form.getByRole("button", { name: "Send dispute" }));
  expect(await form.findByText("This deduction could be disputed until Dec 4th, 2026")).toBeTruthy();
  await waitFor(() => expect(sent("GET /payment/deductions.json")).toHaveLength(2));
});

test("an admin who is switched in reads everything and disputes nothing", async () => {
  answerCalls({ "GET /payment/deductions.json": () => listOf([NOTED]) });
  await open("/payment/deductions", { is_switched: true });
  expect(await screen.findByRole("button", { name: `Details ${NAME}` })).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Dispute/ })).toBeNull();
});

test("filter and page are in the address; another filter starts at the first page", async () => {
  const sent = answerCalls({
    "GET /payment/deductions.json": ({ query }) => ({
      ...listOf([NOTED]),
      pager: somePager({ current_page: Number(query.get("p")) + 1, last_page: 3 }),
    }),
  });
  const { router } = await open("/payment/deductions?p=1&state=nonsense");
  await userEvent.click(await screen.findByRole("button", { name: "Next" }));
  await waitFor(() => expect(sent("GET /payment/deductions.json").at(-1)?.query.toString()).toBe("p=2&state=all"));
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  await waitFor(() => expect(router.state.location.searchStr).toBe("?state=open"));
  await waitFor(() => expect(sent("GET /payment/deductions.json").at(-1)?.query.toString()).toBe("p=0&state=open"));
  expect(sent("GET /payment/deductions.json").map(({ query }) => query.toString())[0]).toBe("p=1&state=all");
});

test("an empty list says why, by its filter; one that fails to load can be retried", async () => {
  let away = true;
  answerCalls({ "GET /payment/deductions.json": () => (away ? refused(503, "The store is away") : listOf([])) });
  await open();
  expect((await screen.findByRole("alert")).textContent).toContain("The store is away");
  away = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No deductions found")).toBeTruthy();
  expect(screen.getByText("Nothing has been deducted from your balance.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  expect(await screen.findByText("No deduction can be disputed or waits for an answer.")).toBeTruthy();
});
