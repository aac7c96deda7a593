import { addDays, dayOf } from "@millrace/units";
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { PublisherPerformancePage } from "../pages/publisher-performance-page.tsx";
import { PUBLISHER_PARTS } from "../testing/sample-parts.ts";
import { serveStatistics } from "../testing/serve-statistics.tsx";

const TODAY = dayOf(Date.now());
const RUNNING = `ds=${addDays(TODAY, -6)}&de=${TODAY}`;
const OVER = "ds=2026-11-12&de=2026-11-18";
const curveTo = (last: number) => Array.from({ length: last + 1 }, (_, age) => ({ age, value: 10_000 + 1000 * age }));

/** Serves a curve that the period's devices have reached, and one for the compared period's. */
function serve(reached: number, before: number, some: object = {}) {
  const ltv = { ...PUBLISHER_PARTS.ltv, cohort_devices: 1200, ...some };
  const days = new Set([TODAY, "2026-11-18"]);
  serveStatistics({
    publisher: {
      ltv: (query: URLSearchParams) => ({ ...ltv, curve: curveTo(days.has(query.get("de") ?? "") ? reached : before) }),
    },
  });
}

async function open(query: string) {
  await renderPage(PublisherPerformancePage, "/apps/performance", `/apps/performance?${query}`);
  return within(await screen.findByRole("region", { name: "Lifetime value" }));
}

test("a first day that is not over is not compared with whole ones, which show how devices develop", async () => {
  serve(0, 3);
  const ltv = await open(RUNNING);
  const figure = await ltv.findByRole("figure");
  expect(ltv.getByText("1.2K new devices in this period earned $0.0100 each on their first day so far.")).toBeTruthy();
  expect(figure.textContent).toContain("the 7 days before: 10000 11000 12000 13000");
  expect(figure.textContent).not.toContain("This period");
  expect(ltv.queryByText(/reached day/)).toBeNull();
});

test("the curve's key names what the period is compared with", async () => {
  serve(2, 4);
  const ltv = await open(`${OVER}&compare=weekdays`);
  expect(await ltv.findByText(/the same weekdays before$/)).toBeTruthy();
  expect((await ltv.findByRole("figure")).textContent).toContain(
    "the same weekdays before: 10000 11000 12000 13000 14000",
  );
});

test("one device is one device", async () => {
  serve(0, 0, { devices: 1, cohort_devices: 1 });
  const ltv = await open(`${OVER}&compare=none`);
  expect(await ltv.findByText("across 1 device")).toBeTruthy();
  expect(ltv.getByText(/^1 new device in this period earned \$0\.0100 on its first day\. /)).toBeTruthy();
});

test("the block follows no filter but that of apps, so clearing others is not offered", async () => {
  serveStatistics();
  const ltv = await open(`${OVER}&country=US`);
  expect(await ltv.findByText("No new devices found")).toBeTruthy();
  expect(ltv.getByRole("button", { name: "Show the last 30 days" })).toBeTruthy();
});

test("without new devices in the chosen apps, clearing the filters is offered", async () => {
  serveStatistics();
  const ltv = await open(`${OVER}&app_id=7`);
  expect(await ltv.findByRole("button", { name: "Clear the filters" })).toBeTruthy();
});

test("apps of one name are told apart and lead to their statistics, in days without revenue too", async () => {
  serveStatistics({ publisher: { top_apps: [] } });
  const ltv = await open(OVER);
  const links = await within(await ltv.findByRole("list", { name: "Lifetime value by app" })).findAllByRole("link");
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["Tide Puzzle, Android", `/apps/00000000-0000-4000-8000-000000000001/performance?${OVER}`],
    ["Tide Puzzle, iOS", `/apps/00000000-0000-4000-8000-000000000002/performance?${OVER}`],
  ]);
});
