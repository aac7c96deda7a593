import type { StatementMapping } from "@millrace/contract";
import { addDays, dayOf, decimalDollars } from "@millrace/units";
import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { columnsOf, parseStatement } from "./parse-statement.ts";
import { microsAt, rateUnits } from "./statement-values.ts";

const MAPPING: StatementMapping = {
  date: "Date",
  place: "App",
  impressions: "Impressions",
  revenue: "Revenue",
  place_kind: "bundle",
  date_format: "2026-10-31",
  decimal: ".",
  time_zone: "UTC",
  currency: "USD",
};
const OPEN = { day: "2026-11-20", zone: "UTC" };
const read = (content: string, some: Partial<StatementMapping> = {}) =>
  parseStatement(content, { ...MAPPING, ...some }, OPEN);
const HEAD = "Date,App,Impressions,Revenue\n";
const faults = (content: string, some: Partial<StatementMapping> = {}) =>
  read(content, some).errors.map(({ line, field, message }) => `${line} ${field}: ${message}`);

test("lines are read by the mapping: any order of columns, days, counts and amounts as the partner writes them", () => {
  const content =
    "\uFEFFRevenue;Country;App;Impressions;Date\r\n1.234,5;DE;tide;1.000;31.10.2026\r\n-0,000001;US;kite;7;1.11.2026\r\n";
  expect(read(content, { date_format: "31.10.2026", decimal: "," })).toEqual({
    columns: ["Revenue", "Country", "App", "Impressions", "Date"],
    errors: [],
    lines: [
      { line: 2, day: "2026-10-31", place: "tide", impressions: 1000, units: 1_234_500_000_000_000n },
      { line: 3, day: "2026-11-01", place: "kite", impressions: 7, units: -1_000_000n },
    ],
  });
});

test.each([
  ["31/10/2026", "31/10/2026"],
  ["10/31/2026", "10/31/2026"],
  ["20261031", "20261031"],
  ["2026-10-31", "2026-10-31"],
] as const)("a day is read as %s", (date_format, cell) => {
  expect(read(`${HEAD}${cell},a,1,1\n`, { date_format }).lines[0]?.day).toBe("2026-10-31");
});

test("quoted fields hold delimiters, quotation marks and line breaks, and lines are counted as an editor does", () => {
  const content = `"Date","App","Impressions","Revenue","Note, or ""none"""\n2026-10-01,a,1,1,"first\nsecond"\n\n2026-10-02,b,x,1,\n`;
  expect(columnsOf(content).columns[4]).toBe('Note, or "none"');
  expect(faults(content)).toEqual(["5 Impressions: “x” is not a count of impressions"]);
});

test("every fault is named by its line and field", () => {
  expect(
    faults(
      `${HEAD}2026-02-30,a,1,1\n2026-10-02,,1.5,1\n2026-10-04,a,1,=1+1\n2026-11-20,a,1,1\n2026-10-03,a,-1,"1,23"\n2026-10-04,a,@A1,1e5\n`,
    ),
  ).toEqual([
    "2 Date: “2026-02-30” is not a date like 2026-10-31",
    "3 App: Nothing names the app",
    "3 Impressions: “1.5” is not a count of impressions",
    "4 Revenue: “=1+1” is a formula, not an amount",
    "5 Date: “2026-11-20” is a day that is not over in UTC",
    "6 Date: “2026-10-03” is out of order: is the date format right?",
    "6 Impressions: “-1” is not a count of impressions",
    "6 Revenue: “1,23” is not an amount like 1234.56",
    "7 Impressions: “@A1” is a formula, not a count",
    "7 Revenue: “1e5” is not an amount like 1234.56",
  ]);
});

test.each([
  ["NaN"],
  ["Infinity"],
  ["1.2.3"],
  ["1,2345.00"],
  ["0,845"],
  ["$5"],
  ["1."],
  [""],
  ["--1"],
  ["99999999999"],
  ["0x10"],
  ["١٢"],
])("%j is no amount", (cell) => {
  expect(faults(`${HEAD}2026-10-01,a,1,"${cell}"\n`)).toHaveLength(1);
});

test("days may fall as well as rise", () => {
  expect(faults(`${HEAD}2026-10-03,a,1,1\n2026-10-02,a,1,1\n2026-10-02,b,1,1\n2026-10-01,a,1,1\n`)).toEqual([]);
});

test.each([
  ["", "1 line: The file is empty"],
  [HEAD, "1 Date: There is no line below the head"],
  ["Date,App,Impressions\n2026-10-01,a,1\n", "1 Revenue: There is no such column"],
  ["Date,App,Impressions,Revenue,Date\n2026-10-01,a,1,1,\n", "1 Date: Two columns have this name"],
  [`${HEAD}2026-10-01,a,1\n`, "2 line: This line has another number of fields than the head"],
  [`${HEAD}2026-10-01,a,1,1\n2026-10-01,"a,1,1\n`, "3 line: A quotation mark is not closed"],
  [`${HEAD}2026-10-01,"a"b,1,1\n`, "2 line: Something follows a closing quotation mark"],
])("a file that is no statement says so: %j", (content, fault) => {
  expect(faults(content)).toEqual([fault]);
});

test("whatever lines are written, they are read back to the last digit", () => {
  const line = fc.record({
    micros: fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n }),
    impressions: fc.nat(),
    place: fc
      .string({ unit: "binary", minLength: 1, maxLength: 20 })
      .filter((text) => text.trim() === text && !text.includes("\0")),
  });
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 20 }),
      fc.constantFrom(",", ";", "\t"),
      (lines, delimiter) => {
        const rows = lines.map(({ micros, impressions, place }, nth) => [
          addDays("2026-10-01", nth),
          place,
          String(impressions),
          decimalDollars(micros),
        ]);
        const content = stringify([["Date", "App", "Impressions", "Revenue"], ...rows], { delimiter, bom: true });
        const { lines: found, errors } = parseStatement(content, MAPPING, { ...OPEN, day: dayOf(Date.UTC(2027, 0)) });
        expect(errors).toEqual([]);
        expect(
          found.map(({ day, place, impressions, units }) => [
            day,
            place,
            impressions,
            microsAt(units, rateUnits(null)),
          ]),
        ).toEqual(
          lines.map(({ micros, impressions, place }, nth) => [addDays("2026-10-01", nth), place, impressions, micros]),
        );
      },
    ),
  );
});

test("amounts are converted at the statement's rate, rounded once", () => {
  const { lines } = read(`${HEAD}2026-10-01,a,1,10.000001\n`);
  expect(microsAt(lines[0]?.units ?? 0n, rateUnits("1.0842"))).toBe(10_842_001n);
  expect(microsAt(-(lines[0]?.units ?? 0n), rateUnits("1.0842"))).toBe(-10_842_001n);
});
