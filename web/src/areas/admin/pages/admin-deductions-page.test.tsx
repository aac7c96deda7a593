import type { AdminDeduction } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { somePager } from "../../../testing/some-apps.ts";
import { someUser } from "../testing/some-user.ts";
import { AdminDeductionsPage } from "./admin-deductions-page.tsx";
import { AdminUsersPage } from "./admin-users-page.tsx";

const open = (address = "/admin/deductions") => renderPage(() => <AdminDeductionsPage />, "/admin/deductions", address);
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

const UUID = "00000000-0000-4000-8000-000000000001";
const APP = "00000000-0000-4000-8000-000000000002";
const AUCTION = "00000000-0000-4000-8000-0000000000a1";
const OWNER = { uuid: "00000000-0000-4000-8000-000000000009", name: "Ada Lovelace", email: "ada@example.com" };
const DISPUTED: AdminDeduction = {
  uuid: UUID,
  noted_at: "2026-11-20T10:00:00.000Z",
  day: "2026-11-12",
  reason: "discrepancy",
  explanation: "Aurora counted fewer impressions",
  app: { uuid: APP, name: "Tide Puzzle", platform: "ios" },
  provider: "aurora",
  provider_name: "Aurora Exchange",
  amount: 1_250_000,
  state: "disputed",
  dispute_until: "2026-12-04",
  can_dispute: false,
  auctions: [AUCTION],
  dispute: { text: "My players are real", at: "2026-11-21T10:00:00.000Z" },
  answer: null,
  owner: OWNER,
};
const NOTED: AdminDeduction = {
  ...DISPUTED,
  uuid: "00000000-0000-4000-8000-000000000003",
  state: "noted",
  can_dispute: true,
  dispute: null,
  amount: 5_000_000,
};
const UPHELD: AdminDeduction = {
  ...DISPUTED,
  uuid: "00000000-0000-4000-8000-000000000005",
  state: "upheld",
  answer: { text: "Aurora sent its log", at: "2026-11-22T10:00:00.000Z" },
  amount: 6_000_000,
};
const OF_NOBODY: AdminDeduction = {
  ...DISPUTED,
  uuid: "00000000-0000-4000-8000-000000000004",
  dispute: { text: null, at: "2026-11-21T10:00:00.000Z" },
  amount: 7,
  owner: null,
};
const nameOf = (amount: string) => `the deduction of ${amount} from Tide Puzzle on Nov 12th, 2026`;

test("deductions are listed with owner, reason, amount and state; the state filters, and is in the address", async () => {
  const sent = answerCalls({
    "GET /admin/deductions.json": () => ({ deductions: [DISPUTED, NOTED, OF_NOBODY], pager: somePager() }),
  });
  const { router } = await open("/admin/deductions?search=ada");
  const table = await screen.findByRole("table", { name: "List of deductions" });
  const rows = within(table).getAllByRole("row").slice(1) as HTMLTableRowElement[];
  expect(rows.map(({ cells }) => [...cells].map(({ textContent }) => textContent))).toEqual([
    [
      "Ada Lovelaceada@example.com",
      "Nov 12th, 2026",
      "The partner counted less: Aurora counted fewer impressions",
      "Tide PuzzleiOS",
      "Aurora Exchange",
      "$1.25",
      "Disputed, waits for an answer",
      "Answer",
    ],
    expect.arrayContaining(["$5.00", "Can be disputed", "Reverse"]) as string[],
    expect.arrayContaining(["a deleted account", "$0.000007", "Read"]) as string[],
  ]);
  expect(screen.getByRole("link", { name: "Deductions" }).getAttribute("aria-current")).toBe("page");
  await userEvent.click(screen.getByRole("button", { name: "Disputed" }));
  await waitFor(() => expect(router.state.location.searchStr).toBe("?search=ada&state=disputed"));
  await waitFor(() =>
    expect(sent("GET /admin/deductions.json").at(-1)?.query.toString()).toBe("search=ada&p=0&state=disputed"),
  );
});

test("a disputed deduction is answered with a verdict and a text; a refusal of the server is shown", async () => {
  let late = true;
  const sent = answerCalls({
    "GET /admin/deductions.json": () => ({ deductions: [DISPUTED], pager: somePager() }),
    [`POST /admin/deductions/${UUID}/answer`]: () =>
      late ? refused(409, "This deduction is answered already") : { ok: 1 },
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: `Answer ${nameOf("$1.25")}` }));
  const form = await dialog("Answer deduction");
  expect(form.getByText("My players are real")).toBeTruthy();
  // It opens for its publisher.
  expect(form.getByText(AUCTION).closest("a")).toBeNull();
  await userEvent.click(form.getByRole("button", { name: "Send answer" }));
  expect(form.getByText("Choose to uphold or to reverse it")).toBeTruthy();
  expect(form.getByText("This field is required")).toBeTruthy();
  await userEvent.click(form.getByRole("radio", { name: /^Reverse/ }));
  await userEvent.type(form.getByLabelText("Answer"), "You are right");
  await userEvent.click(form.getByRole("button", { name: "Reverse deduction" }));
  expect(await form.findByText("This deduction is answered already")).toBeTruthy();
  late = false;
  await userEvent.click(form.getByRole("button", { name: "Reverse deduction" }));
  expect(await screen.findByText("$1.25 went back to the balance of ada@example.com")).toBeTruthy();
  expect(sent(`POST /admin/deductions/${UUID}/answer`).at(-1)?.body).toEqual({
    verdict: "reversed",
    answer: "You are right",
  });
});

test("one that nobody disputes, or that was upheld, can only be reversed, and one of a deleted account only read", async () => {
  const sent = answerCalls({
    "GET /admin/deductions.json": () => ({ deductions: [NOTED, UPHELD, OF_NOBODY], pager: somePager() }),
    [`POST /admin/deductions/${NOTED.uuid}/answer`]: () => ({ ok: 1 }),
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: `Read ${nameOf("$0.000007")}` }));
  const read = await dialog("Read deduction");
  expect(read.getByText("The text was deleted with the person who wrote it.")).toBeTruthy();
  expect(read.queryByLabelText("Answer")).toBeNull();
  await userEvent.click(read.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByRole("button", { name: `Reverse ${nameOf("$6.00")}` })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: `Reverse ${nameOf("$5.00")}` }));
  const form = await dialog("Reverse deduction");
  expect(form.queryByRole("radio")).toBeNull();
  await userEvent.type(form.getByLabelText("Answer"), "The partner counted again");
  await userEvent.click(form.getByRole("button", { name: "Reverse deduction" }));
  await waitFor(() =>
    expect(sent(`POST /admin/deductions/${NOTED.uuid}/answer`)[0]?.body).toEqual({
      verdict: "reversed",
      answer: "The partner counted again",
    }),
  );
});

const USER = someUser({ ...OWNER, can_apps: true, apps: 1, balance: 9_000_000 });
const EARNED = {
  apps: [
    {
      uuid: APP,
      name: "Tide Puzzle",
      left: 3_000_000,
      providers: [{ provider: "aurora", name: "Aurora Exchange", left: 2_000_000 }],
      advertisers: [{ email: "grace@example.com", paid: 1_250_000 }],
    },
  ],
};

/** Opens the form, and fills in day, app and what else is the same in all tests. */
async function deduct(answers: Parameters<typeof answerCalls>[0]) {
  const sent = answerCalls({ "GET /admin/users.json": () => ({ users: [USER], pager: somePager() }), ...answers });
  await renderPage(() => <AdminUsersPage />, "/admin/users");
  await userEvent.click(await screen.findByRole("button", { name: "Deduct ada@example.com" }));
  return { sent, form: await dialog("Note deduction") };
}
const NOTE = `POST /admin/users/${USER.uuid}/deduction`;
const LEFT = `GET /admin/users/${USER.uuid}/deductible.json`;

test("a deduction is noted for what was earned on a day, and keeps its key after a lost reply", async () => {
  let replies = 0;
  const { sent, form } = await deduct({
    [LEFT]: () => EARNED,
    [NOTE]: () => {
      replies += 1;
      if (replies === 1) throw new TypeError("connection lost");
      return { uuid: UUID, balance: 7_500_000 };
    },
  });
  expect(form.getByLabelText<HTMLSelectElement>("App").disabled).toBe(true);
  await userEvent.type(form.getByLabelText("Day of the traffic (UTC)"), "2026-11-12");
  await waitFor(() => expect(form.getByLabelText<HTMLSelectElement>("App").disabled).toBe(false));
  expect(sent(LEFT).map(({ query }) => query.get("day"))).toEqual(["2026-11-12"]);
  await userEvent.selectOptions(form.getByLabelText("App"), "Tide Puzzle, $3.00 left");
  // Found by us: without a partner.
  await userEvent.selectOptions(form.getByLabelText("Partner"), "None: we found it, $3.00 left");
  expect(form.getByText("ada@example.com has $9.00. At most $3.00 can be deducted here.")).toBeTruthy();
  expect(form.getByText(/Campaigns of grace@example.com \(\$1.25\) paid for ads here/)).toBeTruthy();
  // A partner's reason needs the partner.
  await userEvent.selectOptions(form.getByLabelText("Reason"), "The partner counted less");
  expect(form.getByLabelText<HTMLSelectElement>("Partner").value).toBe("");
  await userEvent.selectOptions(form.getByLabelText("Partner"), "Aurora Exchange, $2.00 left");
  expect(form.queryByText(/paid for ads here/)).toBeNull();
  await userEvent.type(form.getByLabelText("Amount in $"), "1.5");
  await userEvent.type(form.getByLabelText("Explanation, which the publisher sees"), "Aurora counted less");
  await userEvent.type(
    form.getByLabelText("Sample auctions (optional)"),
    `https://millrace.example/auctions/${AUCTION}{Enter}`,
  );
  await userEvent.click(form.getByRole("button", { name: "Deduct" }));
  expect(await form.findByText("There was an error with your request, please try again")).toBeTruthy();
  await userEvent.click(form.getByRole("button", { name: "Deduct" }));
  expect(await screen.findByText("$1.50 deducted. The balance of ada@example.com is now $7.50")).toBeTruthy();
  const bodies = sent(NOTE).map(({ body }) => body as { key: string });
  expect(bodies[0]).toEqual({
    key: expect.stringMatching(/^[\da-f]{8}-/) as string,
    reason: "discrepancy",
    day: "2026-11-12",
    app: APP,
    provider: "aurora",
    amount: 1_500_000,
    explanation: "Aurora counted less",
    auctions: [AUCTION],
  });
  expect(bodies[1]).toEqual(bodies[0]);
});

test("the form names every missing and wrong field, and shows at its field what the server refuses", async () => {
  const { sent, form } = await deduct({
    [LEFT]: () => EARNED,
    [NOTE]: () => refused(422, { amount: "At most $1.00 is left of what the ledger holds as earned" }),
  });
  await userEvent.click(form.getByRole("button", { name: "Deduct" }));
  expect(form.getByText("Choose the app")).toBeTruthy();
  expect(form.getByText("Choose the partner")).toBeTruthy();
  await userEvent.type(form.getByLabelText("Day of the traffic (UTC)"), "2026-11-12");
  await form.findByRole("option", { name: "Tide Puzzle, $3.00 left" });
  await userEvent.selectOptions(form.getByLabelText("App"), "Tide Puzzle, $3.00 left");
  await userEvent.selectOptions(form.getByLabelText("Partner"), "None: we found it, $3.00 left");
  await userEvent.type(form.getByLabelText("Explanation, which the publisher sees"), "Clicks from a data centre");
  await userEvent.type(form.getByLabelText("Sample auctions (optional)"), "nonsense");
  await userEvent.type(form.getByLabelText("Amount in $"), "1.0000001");
  await userEvent.click(form.getByRole("button", { name: "Deduct" }));
  expect(form.getByText("nonsense is not an auction ID")).toBeTruthy();
  expect(form.getByText("Add an amount in $, with at most 6 decimals")).toBeTruthy();
  await userEvent.clear(form.getByLabelText("Sample auctions (optional)"));
  await userEvent.clear(form.getByLabelText("Amount in $"));
  await userEvent.type(form.getByLabelText("Amount in $"), "0");
  await userEvent.click(form.getByRole("button", { name: "Deduct" }));
  expect(form.getByText("Deduct more than 0")).toBeTruthy();
  expect(sent(NOTE)).toHaveLength(0);
  await userEvent.clear(form.getByLabelText("Amount in $"));
  await userEvent.type(form.getByLabelText("Amount in $"), "2");
  await userEvent.click(form.getByRole("button", { name: "Deduct" }));
  expect(await form.findByText("At most $1.00 is left of what the ledger holds as earned")).toBeTruthy();
  expect(sent(NOTE)[0]?.body).toMatchObject({ reason: "invalid_traffic", provider: null, auctions: [] });
});

test("a day without earnings says so, and so do earnings that cannot be loaded", async () => {
  let away = true;
  const { form } = await deduct({ [LEFT]: () => (away ? refused(503, "The store is away") : { apps: [] }) });
  expect(form.getByRole("option", { name: "Choose the day first" })).toBeTruthy();
  await userEvent.type(form.getByLabelText("Day of the traffic (UTC)"), "2026-11-12");
  expect(await form.findByRole("option", { name: "The store is away" })).toBeTruthy();
  away = false;
  await userEvent.clear(form.getByLabelText("Day of the traffic (UTC)"));
  await userEvent.type(form.getByLabelText("Day of the traffic (UTC)"), "2026-11-11");
  expect(await form.findByRole("option", { name: "Nothing is left of this day's earnings" })).toBeTruthy();
});
