import type { FinanceReport } from "@millrace/contract";
import { expect, test } from "vitest";
import { readPdf } from "../../platform/pdf/testing/read-pdf.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { newPerson, sessionOf, testPlatform } from "../../testing/test-platform.ts";
import { publisherBooks } from "./testing/publisher-books.ts";

const stores = await testStores();
const { pool } = stores.pg;
const { newApp, book } = publisherBooks(pool);

const owner = await newPerson(pool, "publisher@example.com", { name: "=Studio" });
const cookie = await sessionOf(pool, owner);
const { accountId } = owner;
const tide = await newApp(accountId, "Tide");
const aurora = { appId: tide, provider: "aurora" };
const accrual = { kind: "accrual", of: "2025-11-10" } as const;
await book(accountId, { kind: "bonus", on: "2025-10-01", reason: "Welcome", lines: [{ micros: 5_000_000 }] });
await book(accountId, { ...accrual, on: "2025-11-10", lines: [{ micros: 12_345_678, ...aurora }] });
await book(accountId, {
  ...accrual,
  on: "2025-11-12",
  nth: 2,
  reason: "=HYPERLINK(1)",
  lines: [{ micros: -45_678, ...aurora }],
});
await book(accountId, { kind: "bonus", on: "2025-11-12", reason: '"Best", of May', lines: [{ micros: 1_000_000 }] });
await book(accountId, { kind: "payout", on: "2025-11-13", lines: [{ micros: -10_000_000 }] });
// The platform closes these months soon after its start.
const { ask, url } = await testPlatform(stores, { PUBLIC_URL: "https://ads.example.com" });

const DAYS = "ds=2025-11-01&de=2025-11-30";

/** The whole file with its name, as a browser downloads it. */
async function download(path: string): Promise<{ name: string; type: string; content: Buffer }> {
  const reply = await fetch(url + path, { headers: { cookie, "sec-fetch-site": "same-origin" } });
  expect(reply.status).toBe(200);
  return {
    name: /filename="(.*)"/.exec(reply.headers.get("content-disposition") ?? "")?.[1] ?? "",
    type: reply.headers.get("content-type") ?? "",
    content: Buffer.from(await reply.arrayBuffer()),
  };
}

test("the report is read with its filters", async () => {
  const { status, body } = await ask({ cookie }, "GET", `/api/report?${DAYS}`);
  const report = body as unknown as FinanceReport;
  expect([status, report.opening, report.closing]).toEqual([200, 5_000_000, 8_300_000]);
  const filtered = await ask({ cookie }, "GET", `/api/report?${DAYS}&provider=aurora&app_id=${tide}`);
  expect(filtered.body).toMatchObject({ opening: null, totals: { credit: 12_345_678, amount: 12_300_000 } });
});

test.each([
  ["ds=2015-03-29", "ds"],
  ["ds=2025-11-02&de=2025-11-01", "de"],
  ["de=2099-01-01", "de"],
  ["app_id=0x1", "app_id.0"],
  ["provider=A%20B", "provider.0"],
  ["country=DE", "country"],
])("a report of %s is refused at %s, as JSON and as a file", async (query, field) => {
  for (const path of ["/api/report", "/report.csv", "/report/gen_report_pdf"]) {
    const { status, body } = await ask({ cookie }, "GET", `${path}?${query}`);
    expect([path, status, Object.keys(body["error"] as object)]).toEqual([path, 400, [field]]);
  }
});

test("advertisers, guests, developers and strangers have no report", async () => {
  const advertiser = await newPerson(pool, "advertiser@example.com", { canApps: false });
  const asAdvertiser = { cookie: await sessionOf(pool, advertiser) };
  for (const path of ["/api/report", "/report.csv", "/report/gen_report_pdf"]) {
    expect((await ask(asAdvertiser, "GET", path)).status).toBe(403);
    expect((await ask({}, "GET", path)).status).toBe(401);
    for (const role of ["GST", "SDEV"]) {
      await pool.query("UPDATE memberships SET role = $2 WHERE user_id = $1", [owner.userId, role]);
      expect((await ask({ cookie }, "GET", path)).status).toBe(403);
    }
    await pool.query("UPDATE memberships SET role = 'owner' WHERE user_id = $1", [owner.userId]);
  }
});

test("the CSV has each day's exact figures with their reasons, the total and the balance", async () => {
  const { name, type, content } = await download(`/report.csv?${DAYS}`);
  expect([name, type]).toEqual(["Finance-report-2025-11-01-2025-11-30.csv", "text/csv; charset=utf-8"]);
  expect(content.toString().split("\r\n")).toEqual([
    'Date,"Revenue, $","Provider corrections, $","Bonuses, $","Corrections, $","Paid out, $","Change, $","Balance, $",Reasons',
    "2025-11-10,12.345678,0,0,0,0,12.345678,17.345678,",
    '2025-11-12,0,-0.045678,1,0,0,0.954322,18.3,"Provider correction -0.045678 (aurora, traffic of 2025-11-10): =HYPERLINK(1); Bonus 1: ""Best"", of May"',
    "2025-11-13,0,0,0,0,-10,-10,8.3,",
    "Total,12.345678,-0.045678,1,0,-10,3.3,8.3,",
    "",
  ]);
  const filtered = await download(`/report.csv?${DAYS}&provider=aurora`);
  expect(filtered.content.toString()).not.toContain("Balance");
});

test("the PDF has the same table, the balances and the reasons", async () => {
  const { name, type, content } = await download(`/report/gen_report_pdf?${DAYS}`);
  expect([name, type]).toEqual(["Finance-report-2025-11-01-2025-11-30.pdf", "application/pdf"]);
  const pages = await readPdf(content);
  expect(pages).toHaveLength(1);
  const [lines = []] = pages;
  expect(lines[0]).toBe("Finance report of =Studio | Millrace at ads.example.com");
  expect(lines[1]).toMatch(/^Nov 1st – Nov 30th, 2025 \(UTC\) · Created on /);
  expect(lines.slice(2)).toEqual([
    "No filters",
    "Opening balance $5.00 · Change $3.30 · Closing balance $8.30",
    expect.stringMatching(/^Revenue is booked up to .* \(UTC\)\.$/),
    "Amounts are rounded to cents, balances down; the CSV file is exact.",
    "Date | Revenue | Provider corrections | Bonuses | Corrections | Paid out | Change | Balance",
    "Nov 10th, 2025 | $12.35 | – | – | – | – | $12.35 | $17.34",
    "Nov 12th, 2025 | $0.00 | –$0.05 | $1.00 | – | – | $0.95 | $18.30",
    "Nov 13th, 2025 | $0.00 | – | – | – | –$10.00 | –$10.00 | $8.30",
    "Total | $12.35 | –$0.05 | $1.00 | – | –$10.00 | $3.30 | $8.30",
    "Bonuses and corrections",
    "Reason | Booked on | What | Provider | Traffic of | Amount",
    "=HYPERLINK(1) | Nov 12th, 2025 | Provider correction | aurora | Nov 10th, 2025 | –$0.05",
    '"Best", of May | Nov 12th, 2025 | Bonus | – | – | $1.00',
    "Finance report of =Studio, Nov 1st – Nov 30th, 2025 | Page 1 of 1",
  ]);
});

test("a filtered PDF names its filters and has no balance; an empty one says so", async () => {
  const linesOf = async (query: string) =>
    (await readPdf((await download(`/report/gen_report_pdf?${query}`)).content))[0] ?? [];
  const filtered = await linesOf(`${DAYS}&provider=aurora&app_id=${tide}`);
  expect(filtered).toContain("Apps: Tide · Networks: aurora");
  expect(filtered).toContain("Change $12.30, of the chosen apps and providers alone");
  expect(filtered).toContain("Date | Revenue | Provider corrections | Bonuses | Corrections | Paid out | Change");
  expect(await linesOf(`${DAYS}&app_id=9999999999`)).toContain("Apps: none of this account");
  expect(await linesOf("ds=2020-01-01&de=2020-01-31")).toEqual(
    expect.arrayContaining([
      "Opening balance $0.00 · Change $0.00 · Closing balance $0.00",
      "Nothing was booked in this period.",
    ]),
  );
});

test("a long report has a head on each page, all days and reasons, and the announced number of pages", async () => {
  const years = await newPerson(pool, "years@example.com", { name: "Years" });
  const days = 200;
  await pool.query(
    `WITH days AS (
       INSERT INTO ledger_postings (reference, kind, reason, at, on_day)
       SELECT 'year ' || n, 'bonus', 'Day ' || n, now(), date '2024-01-01' + n FROM generate_series(1, $2::integer) n
       RETURNING id
     ) INSERT INTO ledger_lines (posting_id, line, book, account_id, amount_micros)
     SELECT id, line, CASE line WHEN 0 THEN 'adjustments' ELSE 'publisher_balance' END,
            CASE line WHEN 1 THEN $1::integer END, CASE line WHEN 0 THEN 10000 ELSE -10000 END
     FROM days, generate_series(0, 1) AS line`,
    [years.accountId, days],
  );
  const as = { cookie: await sessionOf(pool, years), "sec-fetch-site": "same-origin" };
  const reply = await fetch(`${url}/report/gen_report_pdf?ds=2024-01-01&de=2024-12-31`, { headers: as });
  const pages = await readPdf(Buffer.from(await reply.arrayBuffer()));
  for (const [index, lines] of pages.entries()) {
    expect(lines.at(-1)).toContain(`Page ${index + 1} of ${pages.length}`);
    expect(lines.some((line) => line.startsWith("Date | ") || line.startsWith("Reason | "))).toBe(true);
  }
  const all = pages.flat();
  expect(all.filter((line) => /^\w{3} \d+\w\w, 2024 \|/.test(line))).toHaveLength(days);
  expect(all.filter((line) => /^Day \d+ \|/.test(line))).toHaveLength(days);
  expect(all).toContain("Total | $0.00 | – | $2.00 | – | – | $2.00 | $2.00");
});
