import { expect, test } from "vitest";
import { readPdf } from "../../../platform/pdf/testing/read-pdf.ts";
import { DAYS, twoApps } from "../testing/two-apps.ts";

const { at, owner, tide } = await twoApps();

test("the file has exactly the table's rows, and no cell that a spreadsheet would execute", async () => {
  const file = async (query: string) => {
    const reply = await at.server.inject({
      url: `/apps/${tide.uuid}/stats.csv?${DAYS}${query}`,
      headers: { "x-account": String(owner) },
    });
    return { reply, lines: reply.body.trimEnd().split("\r\n") };
  };
  const { reply, lines } = await file("&view=zone&order=revenue&order_type=desc");
  expect(reply.headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect(reply.headers["content-disposition"]).toBe(
    'attachment; filename="Tide-Puzzle-zone-2024-11-18-2024-11-19.csv"',
  );
  expect(lines).toEqual([
    'Zone,Uniques,Sessions,Requests,Impressions,Clicks,"Fill rate, %","CTR, %","eCPM, $","Revenue, $","Revenue before, $","Revenue change, %",Compared until',
    "end,1,,1,1,1,100,100,4.001,0.004001,0,,2024-11-17T12:00:00.000Z",
    "'=1+1,2,,3,1,0,33.333333,0,1.5,0.0015,0.0007,114.285714,2024-11-17T12:00:00.000Z",
    "Total,3,3,4,2,1,50,50,2.7505,0.005501,0.0007,685.857143,2024-11-17T12:00:00.000Z",
  ]);
  // Of the days, only the last is unfinished.
  const days = (await file("&view=date&order=name&order_type=asc&columns=revenue")).lines;
  expect(days.slice(1).map((line) => [line.split(",")[0], line.split(",").at(-1)])).toEqual([
    ["2024-11-18", ""],
    ["2024-11-19", "2024-11-17T12:00:00.000Z"],
    ["Total", "2024-11-17T12:00:00.000Z"],
  ]);
  expect((await file("&view=zone&columns=revenue&columns=requests&compare=none")).lines).toEqual([
    'Zone,Requests,"Revenue, $"',
    "'=1+1,3,0.0015",
    "end,1,0.004001",
    "Total,4,0.005501",
  ]);
  expect((await file("&view=zone&columns=requests")).lines[0]).toBe("Zone,Requests");
  expect((await file("")).lines.map((line) => line.split(",")[0])).toEqual([
    "Date",
    "2024-11-18",
    "2024-11-19",
    "Total",
  ]);
});

test("the PDF has the table's numbers, for one app and for all apps", async () => {
  const file = async (path: string) => {
    const reply = await at.server.inject({
      url: `/apps/${path}/stats.pdf?${DAYS}&view=zone&order=revenue&order_type=desc`,
      headers: { "x-account": String(owner) },
    });
    return { reply, lines: (await readPdf(reply.rawPayload)).flat() };
  };
  const { reply, lines } = await file(tide.uuid);
  expect(reply.headers["content-type"]).toBe("application/pdf");
  expect(reply.headers["content-disposition"]).toBe(
    'attachment; filename="Tide-Puzzle-zone-2024-11-18-2024-11-19.pdf"',
  );
  expect(lines[0]).toBe("Tide Puzzle | Millrace at ads.example.com");
  expect(lines.slice(-4, -1)).toEqual([
    "end | 1 | – | 1 | 1 | 1 | 100% | 100% | $4.00 | $0.00 | –",
    "=1+1 | 2 | – | 3 | 1 | 0 | 33.33% | 0% | $1.50 | $0.00 | +114.3%",
    "Total | 3 | 3 | 4 | 2 | 1 | 50% | 50% | $2.75 | $0.01 | +685.9%",
  ]);
  const all = await file("performance");
  expect(all.lines[0]).toBe("All apps | Millrace at ads.example.com");
  expect(all.lines.at(-2)).toMatch(/^Total \| 3 \| 3 \| 5 \|/);
});

test("a fall is a negative number, which a spreadsheet can sum", async () => {
  const reply = await at.server.inject({
    url: `/apps/${tide.uuid}/stats.csv?ds=2024-11-19&de=2024-11-19&format=banner&view=zone&columns=revenue`,
    headers: { "x-account": String(owner) },
  });
  expect(reply.body.trimEnd().split("\r\n")).toEqual([
    'Zone,"Revenue, $","Revenue before, $","Revenue change, %",Compared until',
    "'=1+1,0,0.0015,-100,2024-11-18T12:00:00.000Z",
    "Total,0,0.0015,-100,2024-11-18T12:00:00.000Z",
  ]);
});
