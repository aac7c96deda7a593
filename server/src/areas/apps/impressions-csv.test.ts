import { NEXT_IMPRESSIONS } from "@millrace/contract";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { impression, keep } from "../statistics/testing/some-rows.ts";
import { twoApps } from "./testing/two-apps.ts";

const { stores, at, owner, other, tide, chess } = await twoApps();

const get = (query: string, account = owner, app = tide.uuid) =>
  at.server.inject({ url: `/apps/${app}/impressions.csv?${query}`, headers: { "x-account": String(account) } });
type Row = Record<string, string>;
const rowsOf = (text: string) => parse(text, { columns: true }) as Row[];

/** All pages of a day, of so many rows each. */
async function all(day: string, rows: number): Promise<Row[]> {
  const found: Row[] = [];
  for (let after = ""; ;) {
    const reply = await get(`day=${day}&rows=${rows}${after}`);
    expect(reply.statusCode).toBe(200);
    const page = rowsOf(reply.body);
    expect(page.length).toBeLessThanOrEqual(rows);
    found.push(...page);
    const next = reply.headers[NEXT_IMPRESSIONS];
    if (next === undefined) return found;
    after = `&after=${encodeURIComponent(String(next))}`;
  }
}

test("a day's counted impressions are listed with their price, and those that do not count are not", async () => {
  const reply = await get("day=2024-11-19");
  expect(reply.headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect(reply.headers["content-disposition"]).toBe(
    'attachment; filename="impressions-com.example.tide-2024-11-19.csv"',
  );
  expect(reply.headers).not.toHaveProperty(NEXT_IMPRESSIONS);
  expect(rowsOf(reply.body)).toEqual([
    {
      time: "2024-11-19T10:00:01.000Z",
      app: tide.uuid,
      zone: "end",
      country: "US",
      format: "video",
      network: "borealis",
      price: "0.004001",
      precision: "exact",
      auction: expect.stringMatching(/^[0-9a-f-]{36}$/),
      device: expect.stringMatching(/^[0-9a-f]{16}$/),
    },
  ]);
});

test("a line item's impression has what its seller told, or else what is expected, as an estimate", async () => {
  const line = { app_id: chess.id, provider: "line-items", stated_micros: 3_000_000, expected_micros: 2_500_000 };
  await keep(stores.clickhouse, {
    events: [
      impression("2024-11-10T08:00:00Z", line),
      impression("2024-11-10T08:00:01Z", { ...line, paid_micros: 4_200_000, zone: "-1:2" }),
      impression("2024-11-10T08:00:02Z", { ...line, paid_told: 1 }),
    ],
  });
  const { body } = await get("day=2024-11-10", owner, chess.uuid);
  expect(rowsOf(body).map(({ price, precision, zone }) => [price, precision, zone])).toEqual([
    ["0.0025", "estimated", "main"],
    // A spreadsheet must not run a device's text.
    ["0.0042", "estimated", "'-1:2"],
    // Its seller told that it paid nothing.
    ["0", "estimated", "main"],
  ]);
});

test("a device has one name in a day of an app, another on every other day, and never its own", async () => {
  await keep(stores.clickhouse, {
    events: ["2024-11-01", "2024-11-01", "2024-11-02"].flatMap((day) =>
      [tide.id, chess.id].map((app_id) => impression(`${day}T08:00:00Z`, { app_id, device: "77123456789" })),
    ),
  });
  const devices = async (day: string, app: string) =>
    rowsOf((await get(`day=${day}`, owner, app)).body).map(({ device }) => device);
  const [first, again] = await devices("2024-11-01", tide.uuid);
  expect(again).toBe(first);
  const [nextDay] = await devices("2024-11-02", tide.uuid);
  const [otherApp] = await devices("2024-11-01", chess.uuid);
  expect(new Set([first, nextDay, otherApp]).size).toBe(3);
  expect((await get("day=2024-11-01")).body).not.toContain("77123456789");
});

test("pages of any length give each impression once, also those of one moment, and their sum is the day's revenue", async () => {
  const events = Array.from({ length: 40 }, (_, nth) =>
    impression(`2024-11-05T0${nth % 3}:00:00Z`, { app_id: tide.id, revenue_micros: 1_000 + nth }),
  );
  await keep(stores.clickhouse, { events });
  const auctions = events.map(({ auction_id: id }) => id).toSorted();
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 45 }), async (rows) => {
      const found = await all("2024-11-05", rows);
      expect(found.map(({ auction }) => String(auction)).toSorted()).toEqual(auctions);
      const times = found.map(({ time }) => String(time));
      expect(times).toEqual(times.toSorted());
      expect(Math.round(found.reduce((sum, { price }) => sum + Number(price) * 1e6, 0))).toBe(40 * 1_000 + 780);
    }),
    { numRuns: 8 },
  );
});

test("another account's app is not found, and a malformed query is refused", async () => {
  expect((await get("day=2024-11-19", other)).statusCode).toBe(404);
  for (const query of [
    "",
    "day=2024-02-30",
    "day=2024-11-19&after=x",
    "day=2024-11-19&rows=0",
    "day=2024-11-19&rows=10001",
  ]) {
    expect([query, (await get(query)).statusCode]).toEqual([query, 400]);
  }
});
