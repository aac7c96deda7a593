import type { AutomaticFloors, FloorCell } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { openPage, UUID } from "../testing/open-page.tsx";
import { AutomaticFloorsPanel } from "./automatic-floors.tsx";

const READ = `GET /apps/${UUID}/automatic_floors.json`;
const SWITCH = `PUT /apps/${UUID}/automatic_floors`;
const OFF: AutomaticFloors = { enabled: false, fitted_at: null, total: null, cells: [], more: 0 };
const cell = (change: Partial<FloorCell>): FloorCell => ({
  format: "banner",
  country: "US",
  own: 400_000,
  floor: 621_000,
  state: "holds",
  lift: 6.04,
  low: 2.1,
  high: 10.2,
  requests: 12_345,
  held: 650,
  ...change,
});

async function open(calls: Parameters<typeof answerCalls>[0]) {
  const sent = answerCalls(calls);
  await openPage(() => <AutomaticFloorsPanel uuid={UUID} />, { path: "/" });
  return { sent, panel: within(await screen.findByRole("region", { name: "Automatic floors" })) };
}

test("automatic floors are off, say what they do, and are switched on by keyboard", async () => {
  const { sent, panel } = await open({ [READ]: () => OFF, [SWITCH]: () => ({ ...OFF, enabled: true }) });
  expect(await panel.findByText("All requests have the floors that you set.")).toBeTruthy();
  expect(panel.getByText(/5% of the requests always keep your floor/)).toBeTruthy();
  panel.getByRole("switch", { name: "Automatic floors", checked: false }).focus();
  await userEvent.keyboard(" ");
  expect(await panel.findByText("Nothing is learned yet")).toBeTruthy();
  expect(panel.getByRole("switch", { name: "Automatic floors", checked: true })).toBeTruthy();
  expect(sent(SWITCH).map(({ body }) => body)).toEqual([{ enabled: true }]);
});

test("each floor stands beside the publisher's own, with its state, its lift and what is still possible", async () => {
  const { total, cells } = {
    total: cell({ lift: 4.2, low: 1, high: null }),
    cells: [
      cell({}),
      cell({ country: "DE", state: "learning", lift: null, low: null, high: null, own: 0 }),
      cell({ country: "XX", format: "rewarded", state: "fell_back", lift: -3, low: -5, high: 0.04 }),
      cell({ country: "FR", state: "learning", lift: 1, low: null, high: 12 }),
    ],
  };
  const { lift, low, high, requests, held } = total;
  const { panel } = await open({
    [READ]: () => ({
      enabled: true,
      fitted_at: "2024-11-20T10:00:00.000Z",
      total: { lift, low, high, requests, held },
      cells,
      more: 2,
    }),
  });
  const rows = (await panel.findAllByRole("row")).slice(1);
  const texts = rows.map((row) =>
    within(row)
      .getAllByRole("cell")
      .map(({ textContent }) => textContent),
  );
  const header = rows.map((row) => row.textContent);
  expect(header[0]).toContain("United States");
  expect(texts.map((row) => row.slice(-6))).toEqual([
    ["$0.6210", "$0.4000", "holds: +2.1% to +10.2%", "+6.0%", "12,345", "650"],
    ["$0.6210", "none", "learning: too few requests to tell", "–", "12,345", "650"],
    ["$0.6210", "$0.4000", "fell back: −5.0% to 0.0%", "−3.0%", "12,345", "650"],
    ["$0.6210", "$0.4000", "learning: at most +12.0%", "+1.0%", "12,345", "650"],
  ]);
  expect(header[2]).toContain("Rewarded video");
  expect(panel.getByText("+4.2%")).toBeTruthy();
  expect(panel.getByText("against your floors; possible: at least +1.0%")).toBeTruthy();
  expect(panel.getByText("2 others have fewer requests.")).toBeTruthy();
});

test("a refused switch says why and stays off", async () => {
  const { panel } = await open({ [READ]: () => OFF, [SWITCH]: () => refused(409, "Not now") });
  await userEvent.click(await panel.findByRole("switch", { name: "Automatic floors" }));
  expect((await panel.findByRole("alert")).textContent).toContain("Not now");
  expect(panel.getByRole("switch", { name: "Automatic floors", checked: false })).toBeTruthy();
});
