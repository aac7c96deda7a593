import type { AppleReport, CampaignParts, CampaignStatRow } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, test } from "vitest";
import { type SentCall, answerCalls, refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { CampaignPerformancePage } from "./campaign-performance-page.tsx";

const CALL = "GET /campaign/performance.json";
const DAYS = "ds=2026-11-18&de=2026-11-19";
const [AUTUMN, WINTER] = ["00000000-0000-4000-8000-000000000021", "00000000-0000-4000-8000-000000000022"];

const figures = {
  requests: 3410,
  impressions: 3000,
  clicks: 30,
  fillrate: 87.98,
  ctr: 1,
  conversions: 6,
  view_conversions: 2,
  cvr: 10,
  cpa: 3_157_333,
  ecpm: 6_310_000,
  costs: 18_944_000,
  last_requests: 3100,
  last_impressions: 2500,
  last_clicks: 40,
  last_fillrate: 80.65,
  last_ctr: 1.6,
  last_conversions: 3,
  last_view_conversions: 1,
  last_cvr: 7.5,
  last_cpa: 5_000_000,
  last_ecpm: 6_000_000,
  last_costs: 15_000_000,
};
const row = (id: string, name: string, some: Partial<CampaignStatRow> = {}): CampaignStatRow => ({
  id,
  name,
  ...figures,
  ...some,
});
const total = row("total", "Total");
const tables: Partial<Record<string, CampaignStatRow[]>> = {
  date: [row("2026-11-19", "Nov 19th, 2026"), row("2026-11-18", "Nov 18th, 2026")],
  country: [row("DE", "Germany"), row("US", "United States", { costs: 1_000_000 })],
  campaign: [row(AUTUMN, "Autumn", { image_url: null }), row(WINTER, "Winter (deleted)", { image_url: null })],
};

const PARTS: Omit<CampaignParts, "stats"> = {
  totals: { ...figures, compared_until: null },
  graph_data: {
    step: "day",
    dates: [
      ["2026-11-18", "2026-11-19"],
      ["2026-11-16", "2026-11-17"],
    ],
    series: { costs: [9_000_000, 9_944_000], last_costs: [7_000_000, 8_000_000] },
    complete_until: "2026-11-19",
    pace: null,
    compared_until: null,
  },
  top_campaign_by_costs: [
    { uuid: AUTUMN, name: "Autumn", image_url: null, deleted: false, costs: 12_000_000, last_costs: 10_000_000 },
    { uuid: WINTER, name: "Winter", image_url: null, deleted: true, costs: 6_944_000, last_costs: 5_000_000 },
  ],
  top_formats_by_costs: [{ format: "image", name: "Image", costs: 18_944_000, last_costs: 15_000_000 }],
  top_countries_costs: [],
  choices: {
    dates: { ds: "2026-11-18", de: "2026-11-19", min: "2015-03-30", max: "2026-11-19" },
    campaigns: { [AUTUMN]: "Autumn", [WINTER]: "Winter (deleted)" },
    formats: { image: "Image", banner: "Banner", video: "Video" },
    countries: { DE: "Germany", US: "United States" },
    first_day: "2026-11-01",
  },
};

const NO_POSTBACKS: AppleReport = { campaigns: [] };
const COUNTS = { installs: 12, redownloads: 3, reengagements: 0, later: 2, lost: 1, valued: 4, tests: 0 };
const APPLE: AppleReport = { campaigns: [{ uuid: AUTUMN, name: "Autumn", number: 7, ...COUNTS }] };

function serve(some: Partial<Record<keyof CampaignParts, unknown>> = {}, apple: () => unknown = () => NO_POSTBACKS) {
  return answerCalls({
    "GET /campaign/apple.json": apple,
    [CALL]: ({ query }: SentCall): unknown => {
      const func = query.get("func") ?? "";
      const view = query.get("view") ?? "date";
      const stats = { view, stats: tables[view] ?? [], total, compared_until: null };
      const part = ({ ...PARTS, stats, ...some } as Record<string, unknown>)[func];
      return part instanceof Response ? part.clone() : { [func]: part };
    },
  });
}

beforeAll(() => Promise.all([import("./campaign-table.tsx"), import("../../../ui/fields/choice-list.tsx")]));
const open = (query = DAYS) =>
  renderPage(CampaignPerformancePage, "/campaign/performance", `/campaign/performance?${query}`);
const block = (name: string) => screen.findByRole("region", { name });

test("the totals show their change from the compared period", async () => {
  serve();
  await open();
  const strip = await screen.findByRole("group", { name: "Key figures" });
  expect([...strip.children].map((tile) => tile.textContent)).toEqual([
    "Costs$18.94+26.3% against Nov 16th – Nov 17th, 2026",
    "eCPM$6.31+5.2% against Nov 16th – Nov 17th, 2026",
    "Impressions3.0K+20.0% against Nov 16th – Nov 17th, 2026",
    "Clicks30−25.0% against Nov 16th – Nov 17th, 2026",
    "CTR1.00%−0.6 pt against Nov 16th – Nov 17th, 2026",
    "Conversions6+100.0% against Nov 16th – Nov 17th, 2026",
    "Conversion rate10.00%+2.5 pt against Nov 16th – Nov 17th, 2026",
    "Cost per conversion$3.16−36.9% against Nov 16th – Nov 17th, 2026",
    "Requests3.4K+10.0% against Nov 16th – Nov 17th, 2026",
    "Fill rate87.98%+7.3 pt against Nov 16th – Nov 17th, 2026",
  ]);
});

test("the chart shows costs with those of the compared period, and a chosen figure against its own", async () => {
  const sent = serve();
  await open();
  const costs = await within(await block("Costs")).findByRole("figure");
  expect(costs.textContent).toBe("This period: 9000000 9944000Previous: 7000000 8000000");
  const figures = screen.getByRole("group", { name: "Key figures" });
  await userEvent.click(within(figures).getByRole("button", { name: /^Clicks/ }));
  await block("Clicks");
  const graphs = sent(CALL).filter(({ query }) => query.get("metrics") === "clicks");
  expect(graphs.map(({ query }) => [query.get("ds"), query.get("compare")])).toEqual(
    expect.arrayContaining([
      ["2026-11-18", "previous"],
      ["2026-11-16", "none"],
    ]),
  );
});

test("campaigns are ranked by costs, a deleted one says so, and each narrows the page", async () => {
  const sent = serve();
  const { router } = await open();
  const ranked = await block("Costs by campaigns");
  expect((await within(ranked).findAllByRole("listitem")).map((item) => item.textContent)).toEqual([
    "Autumn$12.00+20.0% against Nov 16th – Nov 17th, 2026",
    "Winter (deleted)$6.94+38.9% against Nov 16th – Nov 17th, 2026",
  ]);
  await userEvent.click(within(ranked).getByRole("link", { name: "Autumn" }));
  expect(router.state.location.search).toMatchObject({ campaign: AUTUMN });
  expect(sent(CALL).at(-1)?.query.getAll("campaign")).toEqual([AUTUMN]);
});

test("the table has the chosen view, and files of what it shows", async () => {
  serve();
  await open(`${DAYS}&country=DE`);
  const table = await block("Statistics");
  expect(
    (await within(table).findAllByRole("columnheader")).map((head) => head.textContent?.replace(/[↓↕]/, "")),
  ).toEqual([
    "Date",
    "Costs",
    "Change",
    "eCPM",
    "Impressions",
    "Clicks",
    "CTR",
    "Conversions",
    "Conversion rate",
    "Cost per conversion",
    "View-through",
    "Requests",
    "Fill rate",
  ]);
  await userEvent.click(within(table).getByRole("button", { name: "Campaign" }));
  await within(table).findByRole("link", { name: "Winter (deleted)" });
  expect(within(table).getByRole("link", { name: "Download CSV" }).getAttribute("href")).toBe(
    `/campaign/performance.csv?${DAYS}&country=DE&compare=previous&view=campaign&order=costs&order_type=desc`,
  );
});

test("a failed part says so and asks again, while the others are there", async () => {
  serve({ totals: refused(503, "Statistics are not available right now") });
  await open();
  expect(await screen.findByText(/Statistics are not available right now/)).toBeTruthy();
  expect(await within(await block("Costs by campaigns")).findByText("Autumn")).toBeTruthy();
});

test("days on which nothing was bought say so, with the step that may help", async () => {
  serve({ top_campaign_by_costs: [] });
  await open(`${DAYS}&country=DE`);
  const empty = await block("Costs by campaigns");
  expect(
    await within(empty).findByText("Your campaigns bought nothing in this period with these filters."),
  ).toBeTruthy();
  await userEvent.click(within(empty).getByRole("button", { name: "Clear the filters" }));
  expect(await within(empty).findByRole("button", { name: "Show the last 30 days" })).toBeTruthy();
});

test("what Apple attributes is asked for again after a failure, and is told by campaign", async () => {
  let answer: unknown = refused(503, "Statistics are not available right now");
  serve({}, () => answer);
  await open();
  const apple = await block("SKAdNetwork and AdAttributionKit");
  expect((await within(apple).findByRole("alert")).textContent).toContain("Statistics are not available right now");
  answer = APPLE;
  await userEvent.click(within(apple).getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("row", { name: "Autumn number 7 12 3 0 2 1 4" })).toBeTruthy();
});

test("a campaign without a number for Apple says both of the reasons that it can have", async () => {
  serve({}, () => ({ campaigns: APPLE.campaigns.map((line) => ({ ...line, number: null })) }));
  await open();
  const apple = await block("SKAdNetwork and AdAttributionKit");
  expect(await within(apple).findByText("No number: this app's 99, or your 20 of them, were taken")).toBeTruthy();
});

test("an account without campaigns is led to them", async () => {
  serve({ choices: { ...PARTS.choices, campaigns: {} } });
  await open();
  expect((await screen.findByRole("link", { name: "Go to campaigns" })).getAttribute("href")).toBe("/campaign");
});
