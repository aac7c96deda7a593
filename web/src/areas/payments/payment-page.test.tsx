import type { Cashout, NextPayment } from "@millrace/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { addDays, dayOf, formatDay } from "@millrace/units";
import { expect, test } from "vitest";
import { SESSION_KEY } from "../../shared/session.ts";
import { answerCalls, refused } from "../../testing/answer-calls.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { someSession } from "../../testing/some-session.ts";
import { CashoutsPage } from "./cashouts-page.tsx";
import { PaymentPage } from "./payment-page.tsx";

const PROVIDER = "https://payouts.example";
const FRAME = { url: `${PROVIDER}/frame?payee=1`, origin: PROVIDER };

const payment = (next: Partial<NextPayment["next"]> = {}, rest: Partial<NextPayment> = {}): NextPayment => ({
  balance: 542_000_000,
  booked_until: "2026-11-22",
  on_its_way: 0,
  paid: 900_000_000,
  provider: "tipalti",
  method: "Bank transfer ending 4417",
  minimum: 100_000_000,
  next: { month: "2026-11", on: "2026-12-15", amount: 542_000_000, month_is_over: false, blocks: [], ...next },
  ...rest,
});
const cashout = (nth: number, some: Partial<Cashout> = {}): Cashout => ({
  id: `0f8fad5b-d9cb-469f-a165-7086772895${String(nth).padStart(2, "0")}`,
  date: `2026-${String(11 - nth).padStart(2, "0")}-15T06:00:00.000Z`,
  month: `2026-${String(10 - nth).padStart(2, "0")}`,
  amount: 100_000_000 + nth,
  method: "Bank transfer ending 4417",
  status: "accepted",
  changed_at: `2026-${String(11 - nth).padStart(2, "0")}-16T06:00:00.000Z`,
  reason: "",
  ...some,
});

const NOTHING_EARNED = {
  month: "2026-11",
  months: [],
  by: "partner",
  partners: 0,
  reported_partners: 0,
  rows: [],
  estimated: 0,
  to_reported: [],
  reported: 0,
  to_paid: [],
  paid: 0,
  paid_on: "2026-12-15",
};

interface Some {
  cashouts?: Cashout[];
  register?: () => object;
  session?: ReturnType<typeof someSession>;
  at?: "/payment" | "/payment/cashouts_history";
}

async function open(
  next: NextPayment,
  { cashouts = [], register = () => FRAME, session = someSession(), at = "/payment" }: Some = {},
) {
  const sent = answerCalls({
    "GET /payment/next.json": () => next,
    "GET /payment/revenue.json": () => NOTHING_EARNED,
    "GET /payment/cashouts_history.json": () => ({ cashouts, page_cnt: 3 }),
    "POST /payment/register_to_tipalti": register,
    "GET /payment/shares.json": () => ({ share_ppm: 800_000, platform_ppm: 800_000, shares: [] }),
  });
  const Page = at === "/payment" ? PaymentPage : CashoutsPage;
  const page = await renderPage(() => <Page />, at);
  act(() => void page.queryClient.setQueryData(SESSION_KEY, session));
  return { ...page, sent };
}

const DETAILS_MISSING = "We do not know where to send it: please fill in your payout details below";
const against = () =>
  within(screen.getByRole("list", { name: "What stands against it" }))
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);

const figures = async () => {
  const block = await screen.findByRole("region", { name: "Next payment" });
  await within(block).findByText("Balance");
  return block.textContent;
};

test("the page says how much is paid next, when and for which month, and what is on its way", async () => {
  await open(payment({}, { on_its_way: 7_000_000 }));
  const text = await figures();
  expect(text).toContain("November 2026 so far$542.00on Dec 15th, 2026");
  expect(text).toContain("Balance$542.00booked up to Nov 22nd, 2026");
  expect(text).toContain("On its way$7.00");
  expect(text).toContain("Paid$900.00");
  expect(text).toContain("Each month is paid in the month after it, if it comes to $100.00 or more.");
});

test("a balance just below the minimum is not shown as the minimum", async () => {
  const held = payment({ amount: 99_990_000, month_is_over: true, blocks: ["below_minimum"] }, { balance: 99_995_000 });
  await open(held);
  const text = await figures();
  expect(text).toContain("Balance$99.99booked");
  expect(text).toContain("Less than $100.00 stays on your balance");
});

test("the page does not promise a later payment for a month that more was taken from than was earned", async () => {
  await open(payment({ amount: -5_000_000, month_is_over: true, blocks: ["below_minimum"] }, { balance: 20_000_000 }));
  const text = await figures();
  expect(text).toContain("−$5.00is not paid, see below");
  expect(text).toContain("The months after it make up for that first.");
  expect(text).not.toMatch(/is paid with a later month|was earned since/);
});

test("what is earned after the month stays on the balance, and says so", async () => {
  await open(payment({ month: "2026-10", on: "2026-11-15", amount: 500_000_000, month_is_over: true }));
  expect(await figures()).toContain("$42.00 was earned since and stays on your balance until then.");
});

test("what is below a cent is not said to be earned since", async () => {
  await open(payment({ month: "2026-10", on: "2026-11-15", amount: 541_999_996, month_is_over: true }));
  expect(await figures()).toContain("if it comes to $100.00 or more.");
  expect(await figures()).not.toContain("was earned since");
});

test("a payment that will not be made says why, in words", async () => {
  await open(
    payment(
      { month: "2025-10", on: "2025-11-15", month_is_over: true, blocks: ["no_details", "drift"] },
      { method: null },
    ),
  );
  expect(await figures()).toContain("held back since Nov 15th, 2025");
  expect(against()).toEqual([
    "We do not know where to send it: please fill in your payout details below.",
    "The books and the recorded events of your apps disagree. We are looking into it, and pay once they agree.",
  ]);
});

test("a payment is held back since its day only once that day is here", async () => {
  const today = dayOf(Date.now());
  const due = (on: string) => payment({ month: "2026-10", on, month_is_over: true, blocks: ["no_details"] });
  const first = await open(due(addDays(today, 1)));
  expect(await figures()).toContain(`For October 2026$542.00due on ${formatDay(addDays(today, 1))}; see below`);
  expect(against()).toEqual([`${DETAILS_MISSING} before ${formatDay(addDays(today, 1))}.`]);
  first.unmount();
  await open(due(today));
  expect(await figures()).toContain(`held back since ${formatDay(today)}`);
  expect(against()).toEqual([`${DETAILS_MISSING}. It is paid within hours of that.`]);
});

test("a new publisher is told of the minimum and of the day before which details are needed, and of nothing held back", async () => {
  const on = addDays(dayOf(Date.now()), 20);
  await open(payment({ on, amount: 0, blocks: ["no_details"] }, { balance: 0, booked_until: null, method: null }));
  const text = await figures();
  expect(text).toContain(`November 2026 so far$0.00due on ${formatDay(on)}, if it comes to $100.00; see below`);
  expect(text).not.toMatch(/held back|within hours/i);
  expect(against()).toEqual([`${DETAILS_MISSING} before ${formatDay(on)}.`]);
});

test("what is taken off the balance and held back is no part of what is on its way", async () => {
  await open(payment({ blocks: ["blocked"] }, { on_its_way: 7_000_000, held_back: 300_000_000 }));
  const text = await figures();
  expect(text).toContain("On its way$7.00");
  expect(text).toContain("Held back$300.00taken off the balance, and not sent; see below");
});

test("the provider's frame is as large as it says, and messages of others change nothing", async () => {
  const { sent } = await open(payment());
  const frame = await screen.findByTitle<HTMLIFrameElement>("Payout details");
  expect(frame.src).toBe(FRAME.url);
  const say = (data: unknown, origin = PROVIDER, source: Window | null = frame.contentWindow) =>
    act(() => void window.dispatchEvent(new MessageEvent("message", { data, origin, source })));
  say({ TipaltiIframeInfo: { width: 500, height: 300 } });
  expect([frame.style.width, frame.style.height]).toEqual(["525px", "325px"]);
  say({ TipaltiIframeInfo: { height: 900 } }, "https://elsewhere.example");
  say({ TipaltiIframeInfo: { height: 900 } }, PROVIDER, window);
  for (const data of [null, "x", { TipaltiIframeInfo: { height: "tall" } }, { TipaltiIframeInfo: { height: 1e9 } }])
    say(data);
  expect(frame.style.height).toBe("325px");
  const asked = sent("GET /payment/next.json").length;
  say({ payoutDetails: "saved" });
  await waitFor(() => expect(sent("GET /payment/next.json").length).toBeGreaterThan(asked));
});

test("only the owner gets the frame", async () => {
  const { sent } = await open(payment(), { session: someSession({ role: "SUSR" }) });
  expect(await screen.findByText(/Only the account’s owner sees and changes payout details/)).toBeTruthy();
  expect(sent("POST /payment/register_to_tipalti")).toEqual([]);
});

test("the three latest payments are shown, with their status in words, and lead to all", async () => {
  const cashouts = [
    cashout(0, { status: "opened" }),
    cashout(1),
    cashout(2, { status: "rejected", reason: "The account is closed." }),
    cashout(3),
  ];
  await open(payment(), { cashouts });
  const rows = within(await screen.findByRole("table", { name: "Latest payments" }))
    .getAllByRole("row")
    .slice(1);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "Nov 15th, 2026October 2026Bank transfer ending 4417Under consideration$100.00",
    "Oct 15th, 2026September 2026Bank transfer ending 4417Performed$100.00",
    "Sep 15th, 2026August 2026Bank transfer ending 4417RejectedThe account is closed. The money is back on your balance.$100.00",
  ]);
  expect(screen.getByRole("link", { name: "Full history" }).getAttribute("href")).toBe("/payment/cashouts_history");
});

test("the full history is paged, and the page is in the address", async () => {
  const { router, sent } = await open(payment(), { cashouts: [cashout(0)], at: "/payment/cashouts_history" });
  await userEvent.click(await screen.findByRole("button", { name: "Next" }));
  expect(router.state.location.searchStr).toBe("?p=1");
  expect(sent("GET /payment/cashouts_history.json").map(({ query }) => query.get("p"))).toEqual(["0", "1"]);
});

test("the full history has the statement of each payment that was sent", async () => {
  const cashouts = [cashout(0, { status: "opened" }), cashout(1), cashout(2, { status: "rejected", reason: "Closed" })];
  await open(payment(), { cashouts, at: "/payment/cashouts_history" });
  const link = await screen.findByRole("link", { name: "Statement for September 2026, PDF" });
  expect(link.getAttribute("href")).toBe(`/payment/cashouts/${cashout(1).id}/statement`);
  expect(screen.getAllByRole("link", { name: /Statement/ })).toHaveLength(1);
});

test("without payments the history says what comes first", async () => {
  await open(payment());
  expect(await screen.findByText("No payments found")).toBeTruthy();
});

test("a provider that is away is asked again by a button, and the rest of the page stands", async () => {
  let away = true;
  await open(payment(), {
    register: () => (away ? refused(503, "The payout provider cannot be reached. Please try again later") : FRAME),
  });
  const block = within(await screen.findByRole("region", { name: "How you are paid" }));
  expect((await block.findByRole("alert")).textContent).toContain("The payout provider cannot be reached");
  expect(await figures()).toContain("$542.00");
  away = false;
  await userEvent.click(block.getByRole("button", { name: "Try again" }));
  expect(await screen.findByTitle("Payout details")).toBeTruthy();
});
