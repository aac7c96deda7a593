import type { PlatformFigures } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { AdminPlatformPage } from "./admin-platform-page.tsx";

const open = () => renderPage(() => <AdminPlatformPage />, "/admin");
const figures = (some: Partial<PlatformFigures> = {}): PlatformFigures => ({
  at: "2026-11-19T06:05:00.000Z",
  compared_until: "2026-11-18T06:05:00.000Z",
  figures: {
    requests: { today: 2000, yesterday: 1000 },
    impressions: { today: 500, yesterday: 500 },
    invalid: { today: 7, yesterday: 0 },
    revenue: { today: 8_000_000, yesterday: 10_000_000 },
    fee: { today: 2_000_000, yesterday: 2_500_000 },
  },
  auctions: { count: 120, p50_ms: 12.25, p95_ms: 81 },
  accounts: { users: 3, new_users: 1, apps: 14, new_apps: 0 },
  partners: [
    {
      id: "aurora",
      name: "Aurora",
      active: true,
      asked: 1500,
      calls: {
        today: { asked: 1500, bids: 300, timeouts: 15, errors: 3, p50_ms: 21.4, p95_ms: 88 },
        yesterday: { asked: 1000, bids: 250, timeouts: 0, errors: 0, p50_ms: null, p95_ms: null },
      },
      impressions: { today: 500, yesterday: 400 },
      revenue: { today: 8_000_000, yesterday: 4_000_000 },
    },
  ],
  waiting: {
    moderation: { count: 2, since: "2026-11-19T03:05:00.000Z" },
    creatives: { count: 0, since: null },
    support: { count: 0, since: null },
    disputes: { count: 3, since: "2026-11-19T03:05:00.000Z" },
    payouts: { count: 4, since: "2026-11-19T03:05:00.000Z" },
    drifts: { count: 5, since: "2026-11-19T03:05:00.000Z" },
    excesses: { count: 6, since: null },
    jobs: { waiting: 0, retrying: 1, since: null },
    failed_jobs: { count: 7, since: "2026-11-19T03:05:00.000Z" },
    journal: { segments: 2, bytes: 5000 },
  },
  since_start: {
    started_at: "2026-11-19T01:00:00.000Z",
    processes: 2,
    imps: [
      { result: "sold", count: 90 },
      { result: "below_floor", count: 30 },
    ],
    invalid_events: [],
    notices: [{ result: "failed", count: 4 }],
    refused_vast: [],
    paused_partners: 1,
  },
  ...some,
});

test("the figures of today stand with their change from yesterday until the same time", async () => {
  answerCalls({ "GET /admin/platform.json": () => figures() });
  await open();
  const tiles = within(await screen.findByRole("group", { name: "Figures of all accounts" }));
  const text = tiles.getByText("Requests").parentElement?.textContent;
  expect(text).toContain("+100.0%");
  expect(text).toContain("against yesterday until the same time");
  expect(tiles.getByText("Publishers' revenue").parentElement?.textContent).toContain("−20.0%");
  expect(tiles.getByText("Our fee").parentElement?.textContent).toContain("$2.00");
  expect(tiles.getByText("Fill rate").parentElement?.textContent).toContain("25%");
  expect(screen.getByText("Today until 06:05 UTC, compared with Nov 18th, 2026 until the same time")).toBeTruthy();
});

test("what waits says for how long and leads to its page", async () => {
  answerCalls({ "GET /admin/platform.json": () => figures() });
  await open();
  const waiting = within(await screen.findByRole("region", { name: "Waiting" }));
  const review = await waiting.findByRole("link", { name: "Apps to review" });
  expect(review.getAttribute("href")).toBe("/admin/moderation");
  expect(review.closest("div")?.textContent).toContain("the oldest for 3 hours 2");
  const disputes = waiting.getByRole("link", { name: "Disputes to answer" });
  expect(disputes.getAttribute("href")).toBe("/admin/deductions?state=disputed");
  expect(disputes.closest("div")?.textContent).toContain("the oldest for 3 hours 3");
  const payouts = waiting.getByRole("link", { name: "Payouts to make by hand" });
  expect(payouts.getAttribute("href")).toBe("/admin/payouts");
  expect(payouts.closest("div")?.textContent).toContain("the oldest for 3 hours 4");
  const drifts = waiting.getByRole("link", { name: "Differences between books and events" });
  expect(drifts.getAttribute("href")).toBe("/admin/books");
  expect(drifts.closest("div")?.textContent).toContain("the oldest for 3 hours 5");
  const excesses = waiting.getByRole("link", { name: "Days with too much deducted" });
  expect(excesses.getAttribute("href")).toBe("/admin/statements");
  expect(excesses.closest("div")?.textContent).toContain("6");
  expect(waiting.getByText("Jobs given up in the last 7 days").parentElement?.textContent).toContain(
    "the log says why 7",
  );
  expect(waiting.getByText("Jobs that failed and are tried again").parentElement?.textContent).toContain("1");
  expect(waiting.getByText(/Journal segments/).parentElement?.textContent).toContain("5 KiB 2");
});

test("partners and counters are listed", async () => {
  answerCalls({ "GET /admin/platform.json": () => figures() });
  await open();
  const row = (await screen.findByRole("row", { name: /Aurora/ })) as HTMLTableRowElement;
  expect([...row.cells].map(({ textContent }) => textContent)).toEqual([
    "Aurora ",
    "$8.00",
    "+100.0% against yesterday until the same time",
    "500",
    "1.5K",
    // Today's, with yesterday's below.
    "20.0%25.0%",
    "21 ms–",
    "88 ms–",
    "1.0%0.0%",
    "30",
  ]);
  expect(row.cells[8]?.querySelector("[title]")?.getAttribute("title") ?? row.cells[8]?.title).toBe(
    "15 timeouts of 1,500 requests, 1%. Yesterday 0 timeouts of 1,000 requests, 0%",
  );
  const imps = screen.getByRole("region", { name: "Imps auctioned" });
  expect(imps.textContent).toContain("below floor30");
  expect(screen.getByRole("region", { name: "Events not counted" }).textContent).toContain("none");
  expect(screen.getByText(/, 2 processes$/).textContent).toContain("Nov 19th, 2026, 01:00 UTC");
});

test("a platform without partners, auctions and an exchange that is heard of says so", async () => {
  answerCalls({ "GET /admin/platform.json": () => figures({ partners: [], auctions: null, since_start: null }) });
  await open();
  expect(await screen.findByText("No partners found")).toBeTruthy();
  expect(screen.getByText("Auctions of the last hour").parentElement?.textContent).toContain("none");
  expect(screen.getByText("The exchange does not answer")).toBeTruthy();
});

test("figures that fail to load say so and can be retried", async () => {
  let away = true;
  answerCalls({ "GET /admin/platform.json": () => (away ? refused(503, "The store is away") : figures()) });
  await open();
  expect((await screen.findAllByText(/The store is away/)).length).toBeGreaterThan(0);
  away = false;
  await userEvent.click(screen.getAllByRole("button", { name: "Try again" })[0]!);
  expect(await screen.findByRole("row", { name: /Aurora/ })).toBeTruthy();
});
