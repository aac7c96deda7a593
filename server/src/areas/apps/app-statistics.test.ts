import { type AppPage, type AppParts, type ErrorReply, type PublisherParts, appStats } from "@millrace/contract";
import { expect, test } from "vitest";
import { createApp } from "./index.ts";
import { twoApps } from "./testing/two-apps.ts";

const { stores, at, owner, other, tide, chess, ask } = await twoApps();

test("func selects the parts, and each is returned under its name", async () => {
  const parts = (await ask("&func=app&func=totals&func=why_no_ad&func=sdk_versions")) as AppParts;
  expect(Object.keys(parts).toSorted()).toEqual(["app", "sdk_versions", "totals", "why_no_ad"]);
  expect(parts.app).toMatchObject({ app_id: tide.id, uuid: tide.uuid, platform: "android", sdk_status: "check" });
  expect(parts.totals).toEqual({
    uniques: 3,
    sessions: 3,
    requests: 4,
    impressions: 2,
    clicks: 1,
    fillrate: 50,
    ctr: 50,
    ecpm: 2_750_500,
    revenue: 5501,
    // Every micro ever earned over every device ever seen: (1500 + 4001 + 700) / 4.
    ltv: 1550,
    use_rate: 100,
    current_session: 31,
    last_uniques: 1,
    last_sessions: 0,
    last_requests: 1,
    last_impressions: 1,
    last_use_rate: null,
    last_current_session: null,
    last_clicks: 0,
    last_fillrate: 100,
    last_ctr: 0,
    last_ecpm: 700_000,
    last_revenue: 700,
    // It is noon: of the compared days, the last one counts up to noon.
    compared_until: "2024-11-17T12:00:00.000Z",
  });
  expect(parts.why_no_ad).toEqual([
    {
      reason: "no_bid_above_floor",
      text: "No bid above the floor",
      requests: 1,
      share: 100,
      last_requests: 0,
      last_share: null,
    },
  ]);
  expect(parts.sdk_versions).toEqual([
    { version: "1.0.0", sessions: 2, share: (100 * 2) / 3, last_sessions: 0, last_share: null },
    { version: "1.1.0", sessions: 1, share: 100 / 3, last_sessions: 0, last_share: null },
  ]);
});

test("lifetime value names each app with its UUID and platform, in days without revenue too", async () => {
  const { ltv } = (await at.get(owner, "/apps/performance/stats?ds=2024-11-01&de=2024-11-02&func=ltv"))
    .body as PublisherParts;
  expect(ltv.by_app).toEqual([
    { app_id: tide.id, uuid: tide.uuid, name: "Tide Puzzle", platform: "android", ltv: 1550, devices: 4 },
    { app_id: chess.id, uuid: chess.uuid, name: "=Chess", platform: "ios", ltv: 0, devices: 1 },
  ]);
});

test("a filter by provider counts the requests sent to it, and no sessions", async () => {
  const { totals } = (await ask("&func=totals&provider=borealis")) as AppParts;
  expect(totals).toMatchObject({
    requests: 4,
    impressions: 1,
    revenue: 4001,
    fillrate: 25,
    uniques: 1,
    sessions: null,
    use_rate: null,
    current_session: null,
    last_requests: 1,
  });
  const both = (await ask("&func=totals&provider=borealis&provider=aurora")) as AppParts;
  expect(both.totals).toMatchObject({ requests: 7, impressions: 2 });
  const all = (await ask("&func=totals&provider=0&provider=borealis")) as AppParts;
  expect(all.totals).toMatchObject({ requests: 4, sessions: 3 });
});

test("filters by format and country narrow every part together", async () => {
  const { totals, stats, graph_data } = (await ask(
    "&func=totals&func=stats&func=graph_data&format=video&country=US",
  )) as AppParts;
  expect(totals).toMatchObject({ requests: 1, impressions: 1, revenue: 4001, uniques: 1, sessions: null });
  expect(stats.stats.map(({ id, revenue }) => [id, revenue])).toEqual([["2024-11-19", 4001]]);
  expect(graph_data.series.sessions).toEqual(Array.from({ length: 48 }, () => null));
});

test("up to two days a graph has hourly points, with zeros for idle hours and the previous period", async () => {
  const { graph_data: graph } = (await ask("&func=graph_data")) as AppParts;
  expect(graph.step).toBe("hour");
  expect(graph.dates.map((dates) => [dates.length, dates[0], dates.at(-1)])).toEqual([
    [48, "2024-11-18T00:00:00Z", "2024-11-19T23:00:00Z"],
    [48, "2024-11-16T00:00:00Z", "2024-11-17T23:00:00Z"],
  ]);
  const { revenue, last_revenue: last, requests, fillrate, uniques, sessions } = graph.series;
  expect([revenue?.[10], revenue?.[34], revenue?.reduce((a, b) => (a ?? 0) + (b ?? 0), 0)]).toEqual([1500, 4001, 5501]);
  expect([
    last?.[34],
    requests?.[34],
    uniques?.[34],
    sessions?.[33],
    fillrate?.[34],
    fillrate?.[0],
    requests?.[0],
  ]).toEqual([700, 2, 1, 1, 50, null, 0]);
});

test("a graph by hour through a provider counts the requests sent to it", async () => {
  const { graph_data: graph } = (await ask(
    "&func=graph_data&provider=borealis&metrics=requests&metrics=uniques",
  )) as AppParts;
  expect(Object.keys(graph.series)).toEqual(["requests", "uniques"]);
  expect([graph.series.requests?.[10], graph.series.requests?.[34], graph.series.uniques?.[34]]).toEqual([1, 2, 1]);
});

test("beyond two days a graph has daily points, with the requested metrics only", async () => {
  const url = `/apps/${tide.uuid}/stats.json?ds=2024-11-16&de=2024-11-19&func=graph_data&metrics=revenue&metrics=last_revenue`;
  const { graph_data: graph } = (await at.get(owner, url)).body as AppParts;
  expect(graph).toEqual({
    step: "day",
    dates: [
      ["2024-11-16", "2024-11-17", "2024-11-18", "2024-11-19"],
      ["2024-11-12", "2024-11-13", "2024-11-14", "2024-11-15"],
    ],
    series: { revenue: [0, 700, 1500, 4001], last_revenue: [0, 0, 0, 0] },
    complete_until: "2024-11-18",
    // Today's revenue so far; the afternoon of the compared day had a request and no revenue.
    pace: { at: "2024-11-19", values: { revenue: 4001 } },
    compared_until: "2024-11-15T12:00:00.000Z",
  });
});

test("the table has a row per day, country, format, provider or zone, and the total of the summary", async () => {
  const table = async (view: string) => ((await ask(`&func=stats&view=${view}`)) as AppParts).stats;
  expect((await table("date")).stats).toMatchObject([
    { id: "2024-11-18", name: "Nov 18th, 2024", uniques: 1, sessions: 1, requests: 2, impressions: 1, revenue: 1500 },
    { id: "2024-11-19", name: "Nov 19th, 2024", uniques: 2, sessions: 2, requests: 2, impressions: 1, revenue: 4001 },
  ]);
  expect((await table("country")).stats).toMatchObject([
    { id: "DE", name: "Germany", sessions: 1, requests: 1, fillrate: 0, ecpm: null },
    { id: "US", name: "United States", sessions: 2, requests: 2, revenue: 5501 },
    { id: "XX", name: "Unknown country", sessions: 0, requests: 1, uniques: 1 },
  ]);
  expect((await table("format")).stats).toMatchObject([
    { id: "banner", name: "Banner", sessions: null, requests: 3, impressions: 1, uniques: 2 },
    { id: "video", name: "Video", sessions: null, requests: 1, impressions: 1, clicks: 1, ctr: 100 },
  ]);
  expect((await table("provider")).stats).toMatchObject([
    { id: "aurora", name: "Aurora Exchange", requests: 3, impressions: 1, uniques: 1, sessions: null },
    { id: "borealis", name: "borealis", requests: 4, impressions: 1, uniques: 1, sessions: null },
  ]);
  expect((await table("zone")).stats).toMatchObject([
    { id: "main", name: "=1+1", requests: 3, revenue: 1500 },
    { id: "end", name: "end", requests: 1, revenue: 4001 },
  ]);
  for (const view of ["date", "country", "format", "provider", "zone"]) {
    expect((await table(view)).total).toMatchObject({
      requests: 4,
      impressions: 2,
      revenue: 5501,
      uniques: 3,
      sessions: 3,
    });
  }
});

test("the table is ordered by any column, and equal rows have a stable order", async () => {
  const ids = async (order: string) =>
    ((await ask(`&func=stats&view=country${order}`)) as AppParts).stats.stats.map(({ id }) => id);
  expect(await ids("&order=revenue&order_type=desc")).toEqual(["US", "DE", "XX"]);
  expect(await ids("&order=revenue")).toEqual(["DE", "XX", "US"]);
  expect(await ids("&order=ecpm&order_type=asc")).toEqual(["US", "DE", "XX"]);
  expect(await ids("&order=name&order_type=desc")).toEqual(["XX", "US", "DE"]);
});

test("shares, top countries and latest earnings are computed", async () => {
  const parts = (await ask(
    "&func=earnings_by_providers&func=top_formats&func=impressions_by_formats&func=top_countries_impressions&func=top_countries_revenue&func=top_countries_sessions&func=top_countries_uniques&func=online_revenue",
  )) as AppParts;
  expect(parts.earnings_by_providers).toEqual([
    { provider: "borealis", name: "borealis", revenue: 4001, last_revenue: 0 },
    { provider: "aurora", name: "Aurora Exchange", revenue: 1500, last_revenue: 700 },
  ]);
  expect(parts.top_formats.map(({ format, revenue }) => [format, revenue])).toEqual([
    ["video", 4001],
    ["banner", 1500],
  ]);
  expect(parts.impressions_by_formats.map(({ format, impressions }) => [format, impressions])).toEqual([
    ["banner", 1],
    ["video", 1],
  ]);
  expect(parts.top_countries_impressions).toEqual([{ country: "US", name: "United States", value: 2, last_value: 1 }]);
  expect(parts.top_countries_revenue).toEqual([{ country: "US", name: "United States", value: 5501, last_value: 700 }]);
  expect(parts.top_countries_sessions.map(({ country, value }) => [country, value])).toEqual([
    ["US", 2],
    ["DE", 1],
  ]);
  expect(parts.top_countries_uniques.map(({ country, value }) => [country, value])).toEqual([
    ["DE", 2],
    ["US", 2],
    ["XX", 1],
  ]);
  expect(parts.online_revenue).toMatchObject([
    {
      at: "2024-11-19T10:00:01.000Z",
      title: "Tide Puzzle",
      provider: "borealis",
      format: "video",
      country: "US",
      earn: 4001,
    },
    { at: "2024-11-18T10:00:01.000Z", provider_name: "Aurora Exchange", earn: 1500 },
  ]);
});

test("without func all data is returned under the page's names, with the same numbers", async () => {
  const page = (await ask("")) as AppPage;
  expect(Object.keys(page).toSorted()).toEqual(
    [
      "app country_impression country_revenue country_sessions country_uniques format_impressions format_revenue",
      "graph_data latest_revenue provider_revenue revenue_summary stat_summary stat_table",
    ].flatMap((names) => names.split(" ")),
  );
  const parts = (await ask("&func=totals&func=stats&func=graph_data&func=online_revenue")) as AppParts;
  expect([page.stat_summary, page.stat_table, page.graph_data, page.latest_revenue]).toEqual([
    parts.totals,
    parts.stats,
    parts.graph_data,
    parts.online_revenue,
  ]);
  expect(page.revenue_summary.series).toEqual(parts.graph_data.series.revenue);
  expect(appStats.reply.safeParse(page).success).toBe(true);
});

test("another account's, an unknown and a deleted app are not found", async () => {
  const gone = await createApp(stores.pg.pool, owner, { name: "Gone", bundleId: "com.example.gone", platform: "ios" });
  await stores.pg.pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [gone.id]);
  for (const file of ["stats.json", "stats.csv", "stats.pdf"]) {
    expect((await at.get(other, `/apps/${tide.uuid}/${file}`)).status).toBe(404);
    expect((await at.get(owner, `/apps/${gone.uuid}/${file}`)).status).toBe(404);
    expect((await at.get(owner, `/apps/00000000-0000-4000-8000-000000000000/${file}`)).status).toBe(404);
    expect((await at.get(0, `/apps/${tide.uuid}/${file}`)).status).toBe(401);
  }
});

test.each([
  ["func=totals&func=nonsense", "func"],
  ["view=hour", "view"],
  ["compare=tomorrow", "compare"],
  ["metrics=profit", "metrics"],
  ["order=profit", "order"],
  ["order=revenue)%20--", "order"],
  ["order_type=up", "order_type"],
  ["ds=2015-03-29", "ds"],
  ["ds=2024-11-19&de=2024-11-18", "de"],
  ["de=2999-01-01", "de"],
  ["ds=yesterday", "ds"],
  ["provider=';DROP", "provider"],
  ["format=popup", "format"],
  ["country=Germany", "country"],
  ["limit=1", "limit"],
  ["__proto__=1", "__proto__"],
])("%s is refused, naming the field", async (query, field) => {
  for (const file of ["stats.json", "stats.csv", "stats.pdf"]) {
    const url = `/apps/${tide.uuid}/${file}?${query}`;
    const { status, body } = await at.get(owner, url);
    expect(status).toBe(400);
    const { error } = body as ErrorReply;
    expect(Object.keys(error).map((name) => name.split(".")[0])).toContain(field);
  }
});
