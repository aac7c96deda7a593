import type { Reach } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { refused } from "../../../testing/answer-calls.ts";
import { openAdd, openEdit } from "../testing/open-form.tsx";
import { UUID } from "../testing/some-campaign.ts";

const CALL = "POST /campaign/reach";
const range = (low: number, high: number) => ({ low, high });
const REACH: Reach = {
  days: 7,
  auctions: 90_000,
  matching: 31_000,
  enough: true,
  one_in: 1,
  reached: [
    { bid: 2_400_000, impressions: range(2000, 3100), devices: range(1100, 1600), costs: range(4_800_000, 7_440_000) },
    { bid: 3_600_000, impressions: range(6200, 9400), devices: range(2000, 2900), costs: range(9_000_000, 9_500_000) },
  ],
  held_by: null,
};
const SPENDING = `GET /campaign/${UUID}/spending.json`;
const block = () => screen.findByRole("region", { name: "Reach, a day" });
const edit = (reach: Partial<Reach> = {}) =>
  openEdit({ [CALL]: () => ({ ...REACH, ...reach }), [SPENDING]: () => refused(503, "away") });

test("the reach of the form's settings is given as a range, with how it is derived, and with higher bids", async () => {
  const { sent } = await edit();
  const panel = within(await block());
  expect(await panel.findByText("2.0K – 3.1K", { selector: "dd" })).toBeTruthy();
  expect(panel.getByText("1.1K – 1.6K")).toBeTruthy();
  expect(panel.getByText("$4.80 – $7.44")).toBeTruthy();
  const bids = within(panel.getByRole("list", { name: "Impressions a day by bid" })).getAllByRole("listitem");
  expect(bids.map((bid) => bid.textContent)).toEqual(["$2.402.0K – 3.1K", "at $3.606.2K – 9.4K"]);
  expect(panel.getByText(/31,000 of 90,000 auctions of this format fit the targeting/)).toBeTruthy();
  expect(sent(CALL)[0]?.body).toMatchObject({ bid: { value: 2_400_000 }, country: ["DE", "US"], sizes: [] });
});

test("it follows the form with each pause in typing, once for all keys", async () => {
  const { sent } = await edit();
  await within(await block()).findByText("$4.80 – $7.44");
  await userEvent.clear(screen.getByLabelText("Bid (CPM)"));
  await userEvent.type(screen.getByLabelText("Bid (CPM)"), "3.50");
  await expect.poll(() => sent(CALL).length).toBe(2);
  expect(sent(CALL)[1]?.body).toMatchObject({ bid: { value: 3_500_000 } });
  // The name says nothing about reach.
  await userEvent.type(screen.getByLabelText("Campaign name"), " and more");
  await new Promise((done) => setTimeout(done, 700));
  expect(sent(CALL)).toHaveLength(2);
});

test.each([
  [{ enough: false }, /Too few auctions are known/],
  [{ auctions: 0, matching: 0 }, /Nothing is known yet/],
  [{ matching: 0 }, /None of the 90,000 auctions of this format in the last 7 full days fits/],
  [{ held_by: "budget" as const }, /The daily budget holds it back/],
  [{ held_by: "caps" as const }, /The frequency caps hold it back/],
  [{ one_in: 12 }, /Counted on one in 12 devices/],
])("it says what it does not know, and what holds it back: %j", async (some, words) => {
  await edit(some);
  expect(await within(await block()).findByText(words)).toBeTruthy();
});

test("a new campaign without countries asks nothing and says what is missing", async () => {
  const { sent } = await openAdd({ [CALL]: () => REACH });
  expect(await within(await block()).findByText(/Choose a bid, days, countries and platforms/)).toBeTruthy();
  expect(sent(CALL)).toEqual([]);
});

test("a failed estimate says so beside a form that still saves", async () => {
  await openEdit({ [CALL]: () => refused(503, "Statistics are not available right now") });
  expect(await within(await block()).findByText(/Statistics are not available right now/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Save campaign" })).toHaveProperty("disabled", false);
});
