import { FORMAT_LABELS, type FinanceReport } from "@millrace/contract";
import { addDays, dayOf } from "@millrace/units";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { type SentCall, answerCalls, refused } from "../../testing/answer-calls.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { ReportPage } from "./report-page.tsx";

const CALL = "GET /api/report";
const DAYS = "ds=2026-11-01&de=2026-11-19";
const UUID = "00000000-0000-4000-8000-000000000021";
const none = { credit: 0, debet: 0 };
const figures = { credit: 0, referral_amount: 0, cash_out: 0, debet: 0, amount: 0 };

const REPORT: FinanceReport = {
  ds: "2026-11-01",
  de: "2026-11-19",
  providers: [
    { provider: "aurora", name: "Aurora Exchange", revenue: 12_300_000 },
    { provider: "borealis", name: "Borealis", revenue: -1_000 },
  ],
  adtoapp_apps: [
    { app_id: 7, uuid: UUID, name: "Tide", platform: "ios", revenue: 12_000_000 },
    { app_id: 8, uuid: null, name: "Chess", platform: "android", revenue: 300_000 },
    { app_id: null, uuid: null, name: "Not of one app", platform: null, revenue: -1_000 },
  ],
  bonuses: [
    { date: "2026-11-12", credit: 1_000_000, debet: 0, hints: [{ reason: "A good month", amount: 1_000_000 }] },
  ],
  corrections: [],
  provider_corrections: [
    {
      date: "2026-11-12",
      credit: 0,
      debet: 46_000,
      hints: [
        {
          reason: "Events of this day arrived later",
          amount: -45_000,
          provider: "aurora",
          name: "Aurora Exchange",
          day: "2026-11-10",
        },
        { reason: "Invalid traffic", amount: -1000, provider: "borealis", name: "Borealis", day: null },
      ],
    },
  ],
  trans: [
    { ...figures, date: "2026-11-10", credit: 12_345_000, amount: 12_345_000 },
    { ...figures, date: "2026-11-12", debet: 46_000, amount: 954_000 },
    { ...figures, date: "2026-11-13", cash_out: 10_000_000, amount: -10_000_000 },
  ],
  totals: {
    ...figures,
    credit: 12_345_000,
    cash_out: 10_000_000,
    debet: 46_000,
    amount: 3_299_000,
    bonuses: { credit: 1_000_000, debet: 0 },
    corrections: none,
    provider_corrections: { credit: 0, debet: 46_000 },
  },
  opening: 5_000_000,
  closing: 8_299_000,
  booked_until: "2026-11-18",
};
const EMPTY: FinanceReport = {
  ...REPORT,
  providers: [],
  adtoapp_apps: [],
  bonuses: [],
  provider_corrections: [],
  trans: [],
  totals: { ...figures, bonuses: none, corrections: none, provider_corrections: none },
  closing: 5_000_000,
};
const CHOICES = {
  dates: { ds: "2026-11-18", de: "2026-11-19", min: "2015-03-30", max: "2026-11-19" },
  search: "",
  providers: { aurora: "Aurora Exchange" },
  formats: FORMAT_LABELS,
  countries: {},
  apps: { "7": "Tide" },
  first_day: "2026-10-01",
  first_days: {},
};

async function open(answer: (sent: SentCall) => unknown, query = DAYS) {
  const sent = answerCalls({ [CALL]: answer, "GET /apps/dash_filters.json": () => CHOICES });
  const page = await renderPage(() => <ReportPage />, "/report", `/report?${query}`);
  return { ...page, sent: () => sent(CALL).map(({ query: asked }) => asked.toString()) };
}

const cellsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole("row")
    .map((row) => [...(row as HTMLTableRowElement).cells].map(({ textContent }) => textContent));
const dayTable = () => screen.findByRole("table", { name: "Finance report by day" });

test("each day says what moved the balance, the newest first, with the total", async () => {
  await open(() => REPORT);
  expect(cellsOf(await dayTable())).toEqual([
    ["Date (UTC)", "Revenue", "Provider corrections", "Bonuses", "Corrections", "Paid out", "Change", "Balance after"],
    ["Nov 13th, 2026", "$0.00", "", "", "", "−$10.00", "−$10.00", "$8.29"],
    ["Nov 12th, 2026", "$0.00", "−$0.05, why", "+$1.00, why", "", "", "+$0.95", "$18.29"],
    ["Nov 10th, 2026", "$12.35", "", "", "", "", "+$12.35", "$17.34"],
    ["Total, 3 days", "$12.35", "−$0.05", "+$1.00", "", "−$10.00", "+$3.29", "$8.29"],
  ]);
  expect(screen.getAllByTitle("−$0.046")).toHaveLength(2);
});

test("the balance before and after the days stands with the change between, and says until when revenue is booked", async () => {
  await open(() => REPORT);
  const balance = await screen.findByRole("region", { name: "Balance" });
  await waitFor(() =>
    expect(balance.textContent).toContain("Before Nov 1st, 2026$5.00Change+$3.29After Nov 19th, 2026$8.29"),
  );
  expect(
    screen.getByText("Revenue is booked up to Nov 18th, 2026 (UTC). A day is booked once it is over."),
  ).toBeTruthy();
});

test("days that end with today are said to lack today's revenue", async () => {
  await open(() => ({ ...REPORT, de: dayOf(Date.now()) }));
  expect(
    await screen.findByText(/A day is booked once it is over, so today’s revenue is not in these figures yet\.$/),
  ).toBeTruthy();
});

test("a figure opens its reasons by keyboard, with the provider and the day of the traffic, and closes them", async () => {
  await open(() => REPORT);
  const row = within(await dayTable()).getByRole("row", { name: /^Nov 12th, 2026/ });
  const [corrections, bonus] = within(row).getAllByRole("button");
  corrections?.focus();
  await userEvent.keyboard("{Enter}");
  expect(corrections?.getAttribute("aria-expanded")).toBe("true");
  const reasons = screen.getByRole("list", { name: "Provider corrections of Nov 12th, 2026" });
  expect(corrections?.getAttribute("aria-controls")).toBe(reasons.id);
  expect(
    within(reasons)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual([
    "−$0.045 Events of this day arrived laterAurora Exchange, traffic of Nov 10th, 2026",
    "−$0.001 Invalid trafficBorealis",
  ]);
  await userEvent.click(bonus ?? expect.fail());
  expect(screen.getByRole("list", { name: "Bonuses of Nov 12th, 2026" }).textContent).toBe("+$1.00 A good month");
  corrections?.focus();
  await userEvent.keyboard(" ");
  expect(screen.queryByRole("list", { name: "Provider corrections of Nov 12th, 2026" })).toBeNull();
});

test("revenue is listed by app and by provider; a name narrows the page down to it", async () => {
  const { router, sent } = await open(() => REPORT);
  expect(cellsOf(await screen.findByRole("table", { name: "Apps by revenue" })).slice(1)).toEqual([
    ["Tide iOS", "$12.0000"],
    ["Chess Android, deleted", "$0.3000"],
    ["Not of one app", "−$0.0010"],
  ]);
  const providers = screen.getByRole("table", { name: "Providers by revenue" });
  await userEvent.click(within(providers).getByRole("link", { name: "Aurora Exchange" }));
  await waitFor(() => expect(router.state.location.searchStr).toBe(`?${DAYS}&provider=aurora`));
  await waitFor(() => expect(sent()).toEqual([DAYS, `${DAYS}&provider=aurora`]));
});

test("under a filter there is no balance, the files have the same filters, and a deleted app has its name", async () => {
  const query = `${DAYS}&provider=aurora&app_id=8`;
  const filtered = { ...REPORT, bonuses: [], opening: null, closing: null, trans: REPORT.trans.slice(0, 2) };
  await open(() => filtered, query);
  const [heads] = cellsOf(await dayTable());
  expect(heads).toEqual(["Date (UTC)", "Revenue", "Provider corrections", "Change"]);
  expect(screen.getByText(/The balance, bonuses and payouts are of the whole account/)).toBeTruthy();
  expect(await screen.findByRole("button", { name: /^apps: ?Chess \(deleted\)$/ })).toBeTruthy();
  expect(await screen.findByRole("button", { name: /^networks: ?Aurora Exchange$/ })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Download CSV" }).getAttribute("href")).toBe(`/report.csv?${query}`);
  expect(screen.getByRole("link", { name: "Download PDF" }).getAttribute("href")).toBe(
    `/report/gen_report_pdf?${query}`,
  );
});

test("an address without days asks for yesterday and today, and wrong values are dropped", async () => {
  const { sent } = await open(() => EMPTY, "provider=A%20B&app_id=x&ds=2001-01-01");
  await screen.findByText("No entries found");
  expect(sent()).toEqual([`ds=2015-03-30&de=${dayOf(Date.now())}`]);
});

test("days without entries lead to fewer filters, then to more days", async () => {
  const { router, sent } = await open(() => EMPTY, `${DAYS}&provider=aurora`);
  await userEvent.click(await screen.findByRole("button", { name: "Clear the filters" }));
  await waitFor(() => expect(router.state.location.searchStr).toBe(`?${DAYS}`));
  await userEvent.click(await screen.findByRole("button", { name: "Show the last 30 days" }));
  const today = dayOf(Date.now());
  await waitFor(() => expect(sent().at(-1)).toBe(`ds=${addDays(today, -29)}&de=${today}`));
  expect(screen.queryByRole("table", { name: "Apps by revenue" })).toBeNull();
});

test("a report that fails to load says so once and can be retried", async () => {
  let away = true;
  await open(() => (away ? refused(503, "The store is away") : { ...REPORT, booked_until: null }));
  expect((await screen.findAllByRole("alert")).map(({ textContent }) => textContent)).toEqual([
    "The store is awayTry again",
  ]);
  away = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await dayTable()).toBeTruthy();
  expect(screen.getByText(/^No revenue is booked yet\. A day is booked once it is over/)).toBeTruthy();
});
