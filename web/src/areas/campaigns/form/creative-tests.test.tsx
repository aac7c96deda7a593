import { type CreativeTest, loadingText } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, test } from "vitest";
import { refused } from "../../../testing/answer-calls.ts";
import { openEdit } from "../testing/open-form.tsx";
import { UUID } from "../testing/some-campaign.ts";

beforeAll(() => import("./creative-tests.tsx"));

const TESTS = `GET /campaign/${UUID}/tests.json`;
const [ONE, TWO] = ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"] as const;
const creative = (c_id: string, some: Partial<CreativeTest["creatives"][number]> = {}) => ({
  c_id,
  name: "320×50 · Play",
  image_url: "/files/a.png",
  impressions: 12_345,
  clicks: 250,
  conversions: 75,
  ctr: { value: 2.025, low: 1.5, high: 2.6 },
  cvr: { value: 30, low: 22, high: 39 },
  ...some,
});
const UNKNOWN = { value: null, low: 0, high: 100 };
const compared = (some: Partial<CreativeTest> = {}): CreativeTest => ({
  place: "Banners of 320×50",
  since: "2026-11-01T09:00:00.000Z",
  creatives: [creative(ONE), creative(TWO, { ctr: { value: 1, low: 0.5, high: 1.2 } })],
  ctr: { winner: ONE, leading: { c_id: ONE, next: TWO, low: 0.3, high: 2.1 } },
  cvr: { winner: null, leading: { c_id: TWO, next: ONE, low: -4.25, high: 0 } },
  ...some,
});
const panel = async () => within(await screen.findByRole("region", { name: "Comparison of creatives" }));
async function openTest(some: Partial<CreativeTest> = {}, name = "Comparison, Banners of 320×50") {
  await openEdit({ [TESTS]: () => ({ tests: [compared(some)] }) });
  return within(await screen.findByRole("region", { name }));
}
const verdicts = (shown: ReturnType<typeof within>) =>
  shown.getAllByRole("definition").map((dd: HTMLElement) => dd.textContent);

test("a better creative is named with the interval of the difference, and others have no difference yet", async () => {
  const shown = await openTest();
  expect(shown.getByText(/^since Nov 1st, 2026, 09:00 UTC/)).toBeTruthy();
  expect(verdicts(shown)).toEqual([
    "Creative 1 is betterCreative 1 against Creative 2: +0.30 to +2.10 pt",
    "No difference yetCreative 2 against Creative 1: −4.25 to 0.00 pt",
  ]);
  const rows = within(shown.getByRole("table", { name: "Rates of the creatives, Banners of 320×50" }));
  const cells = rows.getAllByRole("cell").slice(0, 3);
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    "12.3K",
    "2.02%1.50% to 2.60%",
    "30.00%22.00% to 39.00%",
  ]);
  expect(cells[0]?.title).toBe("12,345");
  expect(rows.getAllByRole("rowheader").map(({ textContent }) => textContent)).toEqual(["Creative 1", "Creative 2"]);
});

test("intervals are drawn from 0 on one scale, which ends with the highest rate that is possible", async () => {
  await openTest();
  const bars = [...document.querySelectorAll<HTMLElement>("[aria-hidden] > span[style]")].map(({ style }) => [
    style.left,
    style.width,
  ]);
  expect(bars[0]).toEqual(["57.69%", "42.31%"]);
  expect(bars[2]).toEqual(["19.23%", "26.92%"]);
});

test("without a click there is nothing to compare so far", async () => {
  const nothing = { winner: null, leading: null };
  const empty = { impressions: 0, ctr: UNKNOWN, cvr: UNKNOWN };
  const shown = await openTest(
    {
      place: "Full-screen images",
      creatives: [creative(ONE, empty), creative(TWO, empty)],
      ctr: nothing,
      cvr: nothing,
    },
    "Comparison, Full-screen images",
  );
  expect(verdicts(shown)).toEqual(Array.from({ length: 2 }, () => "No difference yetNothing to compare so far"));
  expect(shown.getAllByRole("cell").map(({ textContent }) => textContent)).toEqual(["0", "–", "–", "0", "–", "–"]);
});

test("a test of many creatives has a row for each, and several places are compared one below the other", async () => {
  const many = Array.from({ length: 12 }, (_, nth) => creative(`${ONE.slice(0, -2)}${nth + 10}`));
  const filmed = [ONE, TWO].map((id) => creative(id, { image_url: null }));
  const videos15 = { place: "Landscape videos of 15 s, MP4", creatives: filmed };
  await openEdit({ [TESTS]: () => ({ tests: [compared({ creatives: many }), compared(videos15)] }) });
  const first = within(await screen.findByRole("region", { name: "Comparison, Banners of 320×50" }));
  expect(first.getAllByRole("rowheader")).toHaveLength(12);
  const videos = within(screen.getByRole("region", { name: "Comparison, Landscape videos of 15 s, MP4" }));
  // A video is no image to show in a table.
  expect(videos.queryAllByRole("img")).toHaveLength(0);
});

test("a campaign with nothing to compare says what it takes", async () => {
  await openEdit({ [TESTS]: () => ({ tests: [] }) });
  expect(await (await panel()).findByText(/Creatives are compared once two of them are approved/)).toBeTruthy();
});

test("the comparison is announced while it loads, and a failure has its cause and a second try", async () => {
  let fail: (reply: unknown) => void = () => {};
  const first = new Promise((resolve) => (fail = resolve));
  let answer: () => unknown = () => first;
  await openEdit({ [TESTS]: () => answer() });
  expect(await (await panel()).findByText(loadingText("the comparison"))).toBeTruthy();
  fail(refused(503, "Statistics are not available right now"));
  expect(await (await panel()).findByText(/Statistics are not available right now/)).toBeTruthy();
  answer = () => ({ tests: [] });
  await userEvent.click((await panel()).getByRole("button", { name: "Try again" }));
  expect(await (await panel()).findByText(/Creatives are compared once/)).toBeTruthy();
});
