import type { RevenueShares } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../testing/answer-calls.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { RevenueShare } from "./revenue-share.tsx";

const open = async (answer: () => object) => {
  answerCalls({ "GET /payment/shares.json": answer });
  await renderPage(() => <RevenueShare />, "/payment");
};
const set = (from: string, share_ppm: number, reason: string, when: RevenueShares["shares"][number]["when"]) => ({
  from,
  share_ppm,
  reason,
  when,
  set_at: "2026-10-02T10:00:00Z",
});

test("a publisher without a share of its own sees the default share and the platform's fee, and no history", async () => {
  await open(() => ({ share_ppm: 800_000, platform_ppm: 800_000, shares: [] }));
  expect(
    await screen.findByText(
      /You earn 80% of the price at which an ad of yours is sold\. 20% is the platform’s fee\. This is the default share, which/,
    ),
  ).toBeTruthy();
  expect(screen.queryByRole("table")).toBeNull();
});

test("the history lists each share with its first day and reason, down to the default", async () => {
  const shares = [
    set("2026-12-01", 850_000, "Agreed for the next year", "future"),
    set("2026-09-01", 820_000, "More traffic", "now"),
    set("2026-05-01", 780_000, "A trial", "past"),
  ];
  await open(() => ({ share_ppm: 820_000, platform_ppm: 800_000, shares }));
  expect(await screen.findByText(/You earn 82% .+ keeps the share of its own day\./)).toBeTruthy();
  const rows = within(screen.getByRole("table")).getAllByRole("row").slice(1);
  expect(rows.map((row) => [...(row as HTMLTableRowElement).cells].map(({ textContent }) => textContent))).toEqual([
    ["Dec 1st, 2026to come", "85%", "Agreed for the next year"],
    ["Sep 1st, 2026in force", "82%", "More traffic"],
    ["May 1st, 2026", "78%", "A trial"],
    ["Before", "80%", "The default share, for publishers without one of their own"],
  ]);
});

test("a share that cannot be loaded can be asked for again", async () => {
  let away = true;
  await open(() => (away ? refused(503, "The store is away") : { share_ppm: 1, platform_ppm: 1, shares: [] }));
  expect((await screen.findByRole("alert")).textContent).toContain("The store is away");
  away = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText(/You earn 0.0001%/)).toBeTruthy();
});
