import {
  type FileKind,
  type FinanceReport,
  REPORT_FIGURES,
  REPORT_HEADS,
  type ReportQuery,
  type ReportRow,
  narrowed,
  reportRows,
} from "@millrace/contract";
import { NO_NUMBER, changeOfBalance, decimalDollars, formatBalance, formatDay, formatMoney } from "@millrace/units";
import type { Clock } from "../../platform/clock.ts";
import { MOST_ROWS, csvOf, drawPdf, shownRows } from "../apps/index.ts";
import { type ReportDeps, readFinanceReport } from "./finance-report.ts";

export interface ReportFileDeps extends ReportDeps {
  clock: Clock;
  publicUrl: string;
}

/** The finance report as a file, with the rows and figures of the table on screen. */
export async function reportFile(
  deps: ReportFileDeps,
  accountId: number,
  { kind, query }: { kind: FileKind; query: ReportQuery },
): Promise<{ name: string; content: string | Buffer }> {
  const report = await readFinanceReport(deps, accountId, query);
  const name = `Finance-report-${query.ds}-${query.de}.${kind}`;
  if (kind === "csv") return { name, content: await reportCsv(report) };
  const { rows, total } = reportRows(report);
  const reasons = reasonsOf(report);
  const content = await drawPdf({
    name: `Finance report of ${await accountName(deps, accountId)}`,
    publicUrl: deps.publicUrl,
    madeMs: deps.clock.now(),
    range: { ds: query.ds, de: query.de },
    compare: "none",
    filters: await filtersOf(deps, accountId, query),
    facts: factsOf(report),
    money: null,
    comparedUntil: null,
    note:
      rows.length === 0
        ? "Nothing was booked in this period."
        : shownRows({ stats: rows }) || "Amounts are rounded to cents, balances down; the CSV file is exact.",
    heads: ["Date", ...REPORT_FIGURES.map((id) => REPORT_HEADS[id]), ...(report.opening === null ? [] : ["Balance"])],
    rows: rows.slice(0, MOST_ROWS).map((row) => [formatDay(row.date ?? ""), ...moneyOf(row)]),
    total: ["Total", ...moneyOf(total)],
    ...(reasons.length > 0 && {
      appendix: {
        title:
          reasons.length > MOST_ROWS
            ? `The first ${MOST_ROWS} bonuses and corrections; the CSV file has all of them`
            : "Bonuses and corrections",
        heads: ["Reason", "Booked on", "What", "Provider", "Traffic of", "Amount"],
        rows: reasons
          .slice(0, MOST_ROWS)
          .map(({ reason, date, what, provider, day, amount }) => [
            reason,
            formatDay(date),
            what,
            provider || NO_NUMBER,
            day === null ? NO_NUMBER : formatDay(day),
            formatMoney(amount),
          ]),
      },
    }),
  });
  return { name, content };
}

const figuresOf = (row: ReportRow): number[] => [
  ...REPORT_FIGURES.map((id) => row[id]),
  ...(row.balance === null ? [] : [row.balance]),
];
/** For people: on most days nothing is given, corrected or paid out. */
const moneyOf = (row: ReportRow): string[] => [
  formatMoney(row.revenue),
  ...RARE.map((id) => (row[id] === 0 ? NO_NUMBER : formatMoney(row[id]))),
  // In the total, as between the balances above the table.
  formatMoney(
    row.date === null && row.balance !== null ? changeOfBalance(row.balance - row.change, row.balance) : row.change,
  ),
  ...(row.balance === null ? [] : [formatBalance(row.balance)]),
];
const RARE = REPORT_FIGURES.filter((id) => id !== "revenue" && id !== "change");

/** One row per day, exact; the total; and the reasons of bonuses and corrections of each day as text. */
function reportCsv(report: FinanceReport): Promise<string> {
  const { rows, total } = reportRows(report);
  const reasons = new Map<string | null, string[]>();
  for (const reason of reasonsOf(report)) {
    const { date } = reason;
    reasons.set(date, [...(reasons.get(date) ?? []), textOf(reason)]);
  }
  return csvOf(
    [
      "Date",
      ...REPORT_FIGURES.map((id) => `${REPORT_HEADS[id]}, $`),
      ...(report.opening === null ? [] : ["Balance, $"]),
      "Reasons",
    ],
    [...rows, total],
    (row) => [
      // Dates stay `2026-11-19`, which every spreadsheet reads.
      row.date ?? "Total",
      ...figuresOf(row).map((micros) => decimalDollars(micros)),
      (reasons.get(row.date) ?? []).join("; "),
    ],
  );
}

/**
 * `Provider correction -0.08 (Aurora Exchange, traffic of 2026-11-18): Events of this day arrived later`. It begins with a
 * word of ours, so no spreadsheet takes a reason for a formula.
 */
function textOf({ what, reason, provider, day, amount }: Reason): string {
  const about = [...(provider === "" ? [] : [provider]), ...(day === null ? [] : [`traffic of ${day}`])].join(", ");
  return `${what} ${decimalDollars(amount)}${about && ` (${about})`}: ${reason}`;
}

interface Reason {
  date: string;
  what: string;
  reason: string;
  /** The provider's name; empty for none. */
  provider: string;
  day: string | null;
  amount: number;
}

/** The reasons of all bonuses and corrections, the first day first. */
function reasonsOf({ bonuses, corrections, provider_corrections }: FinanceReport): Reason[] {
  const ofAccount = (what: string, days: FinanceReport["bonuses"]): Reason[] =>
    days.flatMap(({ date, hints }) => hints.map((hint) => ({ ...hint, date, what, provider: "", day: null })));
  const ofProviders = provider_corrections.flatMap(({ date, hints }) =>
    hints.map(({ reason, amount, name, day }): Reason => ({
      date,
      what: "Provider correction",
      reason,
      provider: name,
      day,
      amount,
    })),
  );
  return [...ofProviders, ...ofAccount("Bonus", bonuses), ...ofAccount("Correction", corrections)].toSorted((a, b) =>
    a.date < b.date ? -1 : a.date > b.date ? 1 : 0,
  );
}

function factsOf({ opening, closing, totals, booked_until: until }: FinanceReport): string[] {
  return [
    opening === null || closing === null
      ? `Change ${formatMoney(totals.amount)}, of the chosen apps and providers alone`
      : `Opening balance ${formatBalance(opening)} · Change ${formatMoney(changeOfBalance(opening, closing))} · Closing balance ${formatBalance(closing)}`,
    until === null ? "Nothing is booked yet." : `Revenue is booked up to ${formatDay(until)} (UTC).`,
  ];
}

async function accountName({ pool }: ReportDeps, accountId: number): Promise<string> {
  const { rows } = await pool.query<{ name: string }>("SELECT name FROM accounts WHERE id = $1", [accountId]);
  return rows[0]?.name ?? "";
}

async function filtersOf({ pool, providerNames }: ReportDeps, accountId: number, query: ReportQuery): Promise<string> {
  const [providers, apps] = [narrowed(query.provider), narrowed(query.app_id)];
  const names = await providerNames();
  const { rows } = await pool.query<{ name: string }>(
    "SELECT name FROM apps WHERE account_id = $1 AND id = ANY($2::bigint[]) ORDER BY id",
    [accountId, apps ?? []],
  );
  const filters = [
    ...(apps ? [`Apps: ${rows.map(({ name }) => name).join(", ") || "none of this account"}`] : []),
    ...(providers ? [`Networks: ${providers.map((id) => names.get(id) ?? id).join(", ")}`] : []),
  ];
  return filters.length === 0 ? "No filters" : filters.join(" · ");
}
