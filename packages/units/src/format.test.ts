import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  changeOfBalance,
  decimalDollars,
  formatChange,
  formatSigned,
  formatCount,
  formatCountExact,
  formatDay,
  formatDayRange,
  formatDayShort,
  formatDaysLeft,
  formatAge,
  formatBalance,
  formatDuration,
  formatCpm,
  formatEarning,
  formatLtv,
  formatMoney,
  formatMoneyExact,
  formatMoneyShort,
  formatMoneyTo,
  formatPercent,
  formatPercentExact,
  formatPointChange,
  formatRate,
  formatShare,
  moneyDecimals,
} from "./index.ts";

test("counts are compact", () => {
  const shown = [
    0, 7, 999, 1000, 21_449, 412_600, 999_949, 999_950, 3_001_234, 999_994_999, 999_995_000, 1_250_000_000,
  ];
  expect(shown.map(formatCount)).toEqual([
    "0",
    "7",
    "999",
    "1.0K",
    "21.4K",
    "412.6K",
    "999.9K",
    "1.00M",
    "3.00M",
    "999.99M",
    "1.00B",
    "1.25B",
  ]);
  expect(formatCount(-1500)).toBe("−1.5K");
  expect(formatCount(null)).toBe("–");
  expect(formatCountExact(3_001_234n)).toBe("3,001,234");
});

test("a compact count is off by at most half of its last digit", () => {
  const units = { K: 1e3, M: 1e6, B: 1e9 } as const;
  fc.assert(
    fc.property(fc.nat({ max: 10 ** 12 }), (count) => {
      const [, number = "", unit = ""] = /^([\d.]+)([KMB]?)$/.exec(formatCount(count)) ?? [];
      const step = unit === "" ? 1 : units[unit as keyof typeof units];
      const decimals = number.split(".")[1]?.length ?? 0;
      expect(Math.abs(Number(number) * step - count)).toBeLessThanOrEqual((step / 10 ** decimals) * 0.5 + 1e-3);
      expect(unit === "B" || Number(number) < 1000).toBe(true);
    }),
  );
});

test("a balance is shown in the whole cents that can be paid of it", () => {
  expect([99_995_000, 99_999_999n, 100_000_000, 9_999, 0].map(formatBalance)).toEqual([
    "$99.99",
    "$99.99",
    "$100.00",
    "$0.00",
    "$0.00",
  ]);
  expect([-9_999, -99_995_000].map(formatBalance)).toEqual(["$0.00", "−$99.99"]);
  // $5.00 and $3.29 are $8.29.
  expect(formatMoney(changeOfBalance(5_000_000, 8_299_000))).toBe("$3.29");
});

test("percents have up to 2 decimals, or up to 6 in tooltips", () => {
  expect([88.03, 88.5, 100, 0, 0.004, 1.005, 33.333_333].map(formatPercent)).toEqual([
    "88.03%",
    "88.5%",
    "100%",
    "0%",
    "0%",
    "1.01%",
    "33.33%",
  ]);
  expect(formatPercentExact(100 / 3)).toBe("33.333333%");
  expect(formatPercentExact(1e-9)).toBe("0%");
  expect(formatPercent(null)).toBe("–");
});

test("money is dollars with 2 decimals, eCPM with up to 2, lifetime value with 4, tooltips with up to 6", () => {
  expect(formatMoney(18_204_110_000)).toBe("$18,204.11");
  expect(formatMoney(5000)).toBe("$0.01");
  expect(formatMoney(4999)).toBe("$0.00");
  expect(formatMoney(-1_500_000)).toBe("−$1.50");
  expect(formatMoney(-4999)).toBe("$0.00");
  expect(formatLtv(45_914)).toBe("$0.0459");
  expect([6_310_000, 18_421, 18_420, 1_000_000].map(formatMoneyExact)).toEqual([
    "$6.31",
    "$0.018421",
    "$0.01842",
    "$1.00",
  ]);
  expect([6_418_000, 49_512, 0].map(formatCpm)).toEqual(["$6.4180", "$0.049512", "$0.0000"]);
  expect(formatEarning(18_420)).toBe("$0.018420");
  expect([formatCpm(1_234_500), formatCpm(49_500), formatCpm(null)]).toEqual(["$1.2345", "$0.0495", "–"]);
  expect([642_370_000, 18_944_200_000, 1_234_567_890_000].map(formatMoneyShort)).toEqual([
    "$642.37",
    "$18,944",
    "$1.23M",
  ]);
});

test("a column of money has as many decimals as its smallest amount below a cent needs for two digits", () => {
  expect([[], [0, null], [1_000_000, 10_000], [9999], [4900, 5_000_000], [49], [1]].map(moneyDecimals)).toEqual([
    2, 2, 2, 4, 4, 6, 6,
  ]);
  expect([5_000_000, 4900, 0, -4900, null].map((micros) => formatMoneyTo(micros, 4))).toEqual([
    "$5.0000",
    "$0.0049",
    "$0.0000",
    "−$0.0049",
    "–",
  ]);
});

test("rates of a column have exactly 2 decimals, and shares have 1", () => {
  expect([88.5, 100, 0, 33.335, null].map(formatRate)).toEqual(["88.50%", "100.00%", "0.00%", "33.34%", "–"]);
  expect([65.44, 100, 0.04, null].map(formatShare)).toEqual(["65.4%", "100.0%", "0.0%", "–"]);
});

test("decimal dollars keep every micro and are plain numbers for spreadsheets", () => {
  expect([18_944_200_000, 18_421, 0, -5].map(decimalDollars)).toEqual(["18944.2", "0.018421", "0", "-0.000005"]);
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }), (micros) => {
      const [whole = "", fraction = ""] = decimalDollars(micros).replace("-", "").split(".");
      expect(BigInt(whole + fraction.padEnd(6, "0"))).toBe(micros < 0n ? -micros : micros);
      expect(decimalDollars(micros).startsWith("-")).toBe(micros < 0n);
    }),
  );
});

test("a gain has its sign as a loss does, and nothing has none", () => {
  expect([1_200_000, -300_000, 0].map((micros) => formatSigned(micros, formatMoney))).toEqual([
    "+$1.20",
    "−$0.30",
    "$0.00",
  ]);
});

test("changes have a sign, and are null without a previous value", () => {
  expect(formatChange(112.4, 100)).toBe("+12.4%");
  expect(formatChange(988, 1000)).toBe("−1.2%");
  expect(formatChange(5, 5)).toBe("0.0%");
  expect(formatChange(100_001, 100_000)).toBe("0.0%");
  expect(formatChange(50, 1)).toBe("+4,900.0%");
  expect(formatChange(5, 0)).toBeNull();
  expect(formatChange(null, 5)).toBeNull();
  expect(formatPointChange(88.43, 88.03)).toBe("+0.4 pt");
  expect(formatPointChange(88, 89.25)).toBe("−1.3 pt");
  expect(formatPointChange(88, null)).toBeNull();
});

test("session times are shown in minutes and seconds", () => {
  expect([0, 12, 59.6, 192, 3_792].map(formatDuration)).toEqual(["0m 0s", "0m 12s", "1m 0s", "3m 12s", "63m 12s"]);
  expect(formatDuration(null)).toBe("–");
});

test("days read like Nov 19th, 2026", () => {
  const days = [
    "2026-11-01",
    "2026-11-02",
    "2026-11-03",
    "2026-11-04",
    "2026-11-11",
    "2026-11-12",
    "2026-11-13",
    "2026-11-22",
  ];
  expect(days.map((day) => /\d+(\D\D),/.exec(formatDay(day))?.[1])).toEqual([
    "st",
    "nd",
    "rd",
    "th",
    "th",
    "th",
    "th",
    "nd",
  ]);
  expect(formatDay("2026-11-19")).toBe("Nov 19th, 2026");
  expect(formatDayShort("2026-01-05")).toBe("Jan 5");
  expect(formatDayRange({ ds: "2026-10-21", de: "2026-11-19" })).toBe("Oct 21st – Nov 19th, 2026");
  expect(formatDayRange({ ds: "2025-12-31", de: "2026-01-01" })).toBe("Dec 31st, 2025 – Jan 1st, 2026");
  expect(formatDayRange({ ds: "2026-11-19", de: "2026-11-19" })).toBe("Nov 19th, 2026");
});

test("an age is shown in its largest whole unit", () => {
  expect([2, 59, 60, 3599, 7200, 200_000, -5].map(formatAge)).toEqual([
    "2 s",
    "59 s",
    "1 min",
    "59 min",
    "2 h",
    "2 d",
    "0 s",
  ]);
});

test("what is left lasts whole days, rounded down", () => {
  expect([0, 0.99, 1, 1.9, 2, 93.4, 3653, 368_996].map(formatDaysLeft)).toEqual([
    "less than a day",
    "less than a day",
    "about one day",
    "about one day",
    "about 2 days",
    "about 93 days",
    "about 3653 days",
    "more than ten years",
  ]);
});
