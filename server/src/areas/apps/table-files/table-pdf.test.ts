import { inflateSync } from "node:zlib";
import type { StatRow } from "@millrace/contract";
import { eachDay } from "@millrace/units";
import fc from "fast-check";
import { getDocumentProxy } from "unpdf";
import { expect, test } from "vitest";
import { readPdf } from "../../../platform/pdf/testing/read-pdf.ts";
import { type TablePdf, tablePdf } from "./table-pdf.ts";

const row = (name: string, some: Partial<StatRow> = {}): StatRow => ({
  id: name,
  name,
  uniques: 12,
  sessions: null,
  requests: 4000,
  impressions: 1234,
  clicks: 5,
  fillrate: 30.85,
  ctr: 0.41,
  ecpm: 6_310_000,
  revenue: 7_786_540,
  last_sessions: null,
  last_requests: 3000,
  last_impressions: 1000,
  last_clicks: 5,
  last_fillrate: 33.3,
  last_ctr: 0.5,
  last_ecpm: 4_000_000,
  last_revenue: 4_000_000,
  ...some,
});

/** Of a range that is over. */
const TABLE = { requests_sent: null, compared_until: null };

function report(some: Partial<TablePdf> = {}): TablePdf {
  const dates = eachDay({ ds: "2024-10-01", de: "2024-10-04" });
  return {
    name: "Tide Puzzle",
    publicUrl: "https://ads.example.com",
    madeMs: Date.parse("2024-11-19T12:34:56Z"),
    query: {
      ds: "2024-10-01",
      de: "2024-10-04",
      order: "name",
      order_type: "asc",
      columns: [],
      compare: "previous",
      country: [],
      format: [],
      provider: [],
    },
    providerNames: new Map(),
    chosenApps: [],
    table: { ...TABLE, view: "zone", stats: [row("main"), row("end")], total: row("Total", { requests: 8000 }) },
    revenue: { dates, series: [1_000_000, 0, 5_000_000, 1_786_540], last_series: [0, 4_000_000, 0, 0] },
    ...some,
  };
}

test("the head names the app, days and filters, and the time of creation", async () => {
  const { query } = report();
  const pdf = await tablePdf(
    report({
      query: {
        ...query,
        country: ["DE", "US"],
        format: ["video"],
        provider: ["aurora"],
        order: "revenue",
        order_type: "desc",
      },
      providerNames: new Map([["aurora", "Aurora Exchange"]]),
      chosenApps: ["Tide", "Chess"],
    }),
  );
  const [lines = []] = await readPdf(pdf);
  expect(lines.slice(0, 4)).toEqual([
    "Tide Puzzle | Millrace at ads.example.com",
    "Oct 1st – Oct 4th, 2024 (UTC) · Created on Nov 19th, 2024 at 12:34 UTC",
    "Apps: Tide, Chess · Networks: Aurora Exchange · Countries: Germany, United States · Formats: Video · Ordered by Revenue, descending",
    "Revenue $7.79, +94.7% against $4.00 in the previous period",
  ]);
  expect(lines).toContain("Oct 1st – Oct 4th, 2024 | Sep 27th – Sep 30th, 2024");
});

test("the table is as shown: its rows with the chosen figures, and the total", async () => {
  const [all = []] = await readPdf(await tablePdf(report()));
  expect(all.slice(-4, -1)).toEqual([
    "main | 12 | – | 4,000 | 1,234 | 5 | 30.85% | 0.41% | $6.31 | $7.79 | +94.7%",
    "end | 12 | – | 4,000 | 1,234 | 5 | 30.85% | 0.41% | $6.31 | $7.79 | +94.7%",
    "Total | 12 | – | 8,000 | 1,234 | 5 | 30.85% | 0.41% | $6.31 | $7.79 | +94.7%",
  ]);
  const { query } = report();
  const some = await tablePdf(report({ query: { ...query, columns: ["revenue", "requests"] } }));
  const [chosen = []] = await readPdf(some);
  expect(chosen.slice(-5)).toEqual([
    "Zone | Requests | Revenue | Change",
    "main | 4,000 | $7.79 | +94.7%",
    "end | 4,000 | $7.79 | +94.7%",
    "Total | 8,000 | $7.79 | +94.7%",
    "Tide Puzzle, Oct 1st – Oct 4th, 2024 | Page 1 of 1",
  ]);
});

test("numbers are right-aligned, and revenue is drawn as lines", async () => {
  const pdf = await tablePdf(report());
  const doc = await getDocumentProxy(new Uint8Array(pdf));
  const { items } = await (await doc.getPage(1)).getTextContent();
  const ends = items.flatMap((item) =>
    "str" in item && ["4,000", "8,000", "Requests"].includes(item.str) ? [Number(item.transform[4]) + item.width] : [],
  );
  expect(ends).toHaveLength(4);
  for (const end of ends) expect(end).toBeCloseTo(ends[0] ?? 0, 0);
  const content = drawnOn(pdf);
  // Its four points: a line from the first to the others (ISO 32000-1, 8.5.2), and the previous period dashed.
  expect(content.match(/ m\n(?:\S+ \S+ l\n){3}/g)?.length).toBeGreaterThanOrEqual(3);
  expect(content).toContain("[3 2] 0 d");
  expect(pdf.toString("latin1")).not.toContain("/Subtype /Image");
});

/** The drawing operations of the first page. */
function drawnOn(pdf: Buffer): string {
  const packed = /FlateDecode[^>]*>>\s*stream\r?\n([^]*?)\r?\nendstream/.exec(pdf.toString("latin1"))?.[1] ?? "";
  return inflateSync(Buffer.from(packed, "latin1")).toString("latin1");
}

test("the line ends with the last finished day: the running one is no fall, and the future no days without revenue", async () => {
  // The compared days are as high, so that the grid stays as it is.
  const revenue = {
    ...report().revenue,
    series: [5_000_000, 0, 1_000_000, 1_786_540],
    last_series: [5_000_000, 0, 0, 0],
  };
  const drawn = async (madeMs: number) => drawnOn(await tablePdf(report({ madeMs, revenue })));
  const lines = (content: string) => content.match(/\S+ \S+ l\n/g)?.length ?? 0;
  const whole = lines(await drawn(Date.parse("2024-10-05T00:00:00Z")));
  // Two of four points: two steps less on the line, and on the area below it.
  expect(lines(await drawn(Date.parse("2024-10-03T23:59:59Z")))).toBe(whole - 4);
  // None yet: neither a line nor an area, whose last step leads to the corner.
  expect(lines(await drawn(Date.parse("2024-10-01T05:00:00Z")))).toBe(whole - 8);
});

test("a running range says until when it is compared, and one without a comparison has no change", async () => {
  const { table, query, revenue } = report();
  const running = { ...table, compared_until: "2024-09-30T06:12:00.000Z" };
  const weekdays = { ...query, compare: "weekdays" as const };
  const [lines = []] = await readPdf(await tablePdf(report({ table: running, query: weekdays })));
  expect(lines[3]).toBe(
    "Revenue $7.79, +94.7% against $4.00 on the same weekdays before, until Sep 30th, 2024, 06:12 UTC",
  );
  expect(lines).toContain("Oct 1st – Oct 4th, 2024 | Sep 24th – Sep 27th, 2024");
  const alone = { last_revenue: null };
  const none = { ...TABLE, view: "zone" as const, stats: [row("main", alone)], total: row("Total", alone) };
  const pdf = await tablePdf(
    report({ table: none, query: { ...query, compare: "none" }, revenue: { ...revenue, last_series: [] } }),
  );
  const [said = []] = await readPdf(pdf);
  expect(said[3]).toBe("Revenue $7.79");
  expect(said).toContain("Oct 1st – Oct 4th, 2024");
  expect(said.slice(-3, -1)).toEqual([
    "main | 12 | – | 4,000 | 1,234 | 5 | 30.85% | 0.41% | $6.31 | $7.79",
    "Total | 12 | – | 4,000 | 1,234 | 5 | 30.85% | 0.41% | $6.31 | $7.79",
  ]);
});

test("a negative change is written in standard fonts", async () => {
  const { table } = report();
  const pdf = await tablePdf(report({ table: { ...table, total: row("Total", { last_revenue: 50_000_000 }) } }));
  const [lines = []] = await readPdf(pdf);
  expect(lines[3]).toBe("Revenue $7.79, –84.4% against $50.00 in the previous period");
  expect(pdf.toString("latin1")).not.toContain("DejaVu");
});

test("a long table repeats its head on each page, counts the pages, and loses no row", async () => {
  const names = Array.from({ length: 365 }, (_, index) => `zone ${index + 1}`);
  const pages = await readPdf(
    await tablePdf(
      report({ table: { ...TABLE, view: "zone", stats: names.map((name) => row(name)), total: row("Total") } }),
    ),
  );
  expect(pages.length).toBeGreaterThan(8);
  const shown = pages.flatMap((lines, index) => {
    expect(lines.filter((line) => line.startsWith("Zone | Uniques | Sessions"))).toHaveLength(1);
    expect(lines.at(-1)).toContain(`Page ${index + 1} of ${pages.length}`);
    return lines.filter((line) => line.startsWith("zone "));
  });
  expect(shown.map((line) => line.split(" | ")[0])).toEqual(names);
  expect(pages.flat().filter((line) => line.startsWith("Total |"))).toHaveLength(1);
  expect(pages.at(-1)?.some((line) => line.startsWith("Total |"))).toBe(true);
});

test("a table of any length has the announced number of pages, and the total is never on a page without a head", async () => {
  for (const length of [0, 1, 14, 15, 16, 17, 18, 19, 50, 51]) {
    const stats = Array.from({ length }, (_, index) => row(`zone ${index}`));
    const pages = await readPdf(
      await tablePdf(report({ table: { ...TABLE, view: "zone", stats, total: row("Total") } })),
    );
    for (const [index, lines] of pages.entries()) {
      expect(lines.at(-1)).toContain(`Page ${index + 1} of ${pages.length}`);
      expect(lines.some((line) => line.startsWith("Zone |"))).toBe(true);
    }
  }
});

test("beyond 5,000 rows a note points to the CSV file, and the total is kept", async () => {
  const stats = Array.from({ length: 5001 }, (_, index) => row(`zone ${index}`));
  const query = { ...report().query, columns: ["revenue" as const] };
  const pages = await readPdf(
    await tablePdf(report({ query, table: { ...TABLE, view: "zone", stats, total: row("Total") } })),
  );
  expect(pages[0]).toContain("The first 5,000 of 5,001 rows; the CSV file has all of them. The total covers all rows.");
  expect(pages.flat().filter((line) => line.startsWith("zone "))).toHaveLength(5000);
  expect(pages.at(-1)?.some((line) => line.startsWith("Total |"))).toBe(true);
});

test("an empty table and a single page of a table say so", async () => {
  const revenue = { dates: ["2024-10-01"], series: [0], last_series: [0] };
  const pager = { current_page: 2, entries_per_page: 1, first_page: 1, last_page: 7 };
  const none = { ...TABLE, view: "date" as const, stats: [], total: row("Total", { revenue: 0, last_revenue: 0 }) };
  const [empty = []] = await readPdf(await tablePdf(report({ revenue, table: none })));
  expect(empty).toContain("No data in this period.");
  expect(empty).toContain("Revenue $0.00");
  const [paged = []] = await readPdf(await tablePdf(report({ table: { ...none, stats: [row("Oct 1")], pager } })));
  expect(paged).toContain("Page 2 of 7 of the table. The total covers all rows.");
});

test.each([
  ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  ["(a) \\ Tj ET endstream", "(a) \\ Tj ET endstream"],
  ["Игра «Прилив» ∑ −5", "Игра «Прилив» ∑ −5"],
  ["a\tb\nc\u0000", "a b c"],
  ["evil\u202Egnp.exe", "evilgnp.exe"],
  ["Game 🎮 \ud800", "Game □"],
  ["漢字", "□□"],
])("the name %j is written as text", async (name, shown) => {
  const [lines = []] = await readPdf(
    await tablePdf(report({ name, table: { ...TABLE, view: "zone", stats: [row(name)], total: row("Total") } })),
  );
  expect(lines[0]).toContain(shown);
  expect(lines.filter((line) => line.includes(shown)).length).toBeGreaterThanOrEqual(3);
});

test("right-to-left names keep the order of their words", async () => {
  const doc = await getDocumentProxy(
    new Uint8Array(
      await tablePdf(report({ table: { ...TABLE, view: "zone", stats: [row("Tide משחק הים")], total: row("Total") } })),
    ),
  );
  const { items } = await (await doc.getPage(1)).getTextContent();
  const words = items.flatMap((item) =>
    "str" in item && /[\u0590-\u05ff]/.test(item.str) ? [item.str.replaceAll("\u00a0", " ")] : [],
  );
  expect(words).toHaveLength(1);
  expect(words[0]).toContain("משחק הים");
});

test("any name gives a valid document within its columns", async () => {
  const names = fc.string({ unit: "binary", maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(names, fc.array(names, { maxLength: 5 }), async (name, rows) => {
      const stats = rows.map((one) => row(one));
      const doc = await getDocumentProxy(
        new Uint8Array(await tablePdf(report({ name, table: { ...TABLE, view: "zone", stats, total: row("Total") } }))),
      );
      const { items } = await (await doc.getPage(1)).getTextContent();
      const found = items.filter((item) => "str" in item && item.str === "$7.79");
      expect(found).toHaveLength(rows.length + 1);
      for (const item of items) if ("str" in item) expect(Number(item.transform[4]) + item.width).toBeLessThan(842);
    }),
    { numRuns: 25 },
  );
}, 60_000);
