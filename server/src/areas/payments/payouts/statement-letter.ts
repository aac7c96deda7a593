import { formatDay, formatDayRange, formatMoney, formatMoneyTo, formatMonth } from "@millrace/units";
import type { Letter } from "../../../platform/pdf/draw-letter.ts";
import { CENT } from "../ledger.ts";
import type { Statement, StatementEntry, StatementSale } from "./read-statement.ts";

export interface StatementSender {
  operatorName: string;
  operatorAddress: string | undefined;
  publicUrl: string;
}

const MICRO_DECIMALS = 6;
/** More are summed up in one row. */
const MOST_ROWS = 500;

const KIND_LABELS = {
  bonus: "Bonus",
  correction: "Correction",
  deduction: "Deduction",
  payout: "Payment of a former month",
  payout_returned: "Payment that came back",
  payout_sent: "Payment",
  refill: "Refill",
  refill_taken_back: "Refill taken back",
  advertiser_credit: "Credit to an advertiser",
  return: "Return",
  statement: "Difference of a partner’s report",
} as const satisfies Record<StatementEntry["kind"], string>;

/** A payment's statement as a letter: what was sold, what else moved the balance, and how the payment follows from it. */
export function statementLetter(
  statement: Statement,
  { operatorName, operatorAddress, publicUrl }: StatementSender,
  nameOf: (provider: string) => string,
): Letter {
  const { month, period, sales, others, amountMicros, method, reference, settledAt, paidOn, payoutId } = statement;
  const total = totalOf(sales);
  return {
    title: `Payout statement for ${formatMonth(month)}`,
    publicUrl,
    madeMs: settledAt.getTime(),
    parties: [
      { label: "FROM", lines: [operatorName, ...(operatorAddress === undefined ? [] : [operatorAddress])] },
      { label: "TO", lines: [statement.accountName] },
    ],
    facts: [
      ["Period", `${formatDayRange(period)} (UTC)`],
      ["Paid on", `${formatDay(paidOn)} (UTC)`],
      ["Amount", formatMoney(amountMicros)],
      ["Method", method],
      ["Reference", reference === "" ? payoutId : reference],
    ],
    tables: [
      ...(sales.length === 0
        ? []
        : [
            {
              title: "Ads sold in your apps",
              heads: ["App and provider", "Sold for", "Platform’s fee", "Your share"],
              rows: saleRows(sales, nameOf),
              total: ["Total", ...moneyOf(total)],
            },
          ]),
      ...(others.length === 0
        ? []
        : [
            {
              title: "What else moved your balance",
              heads: ["What", "Booked on", "Amount"],
              mostName: 0.66,
              rows: others
                .slice(0, MOST_ROWS)
                .map(({ kind, reason, onDay, micros }) => [
                  reason === "" ? KIND_LABELS[kind] : `${KIND_LABELS[kind]}: ${reason}`,
                  formatDay(onDay),
                  formatMoney(micros),
                ]),
            },
          ]),
    ],
    sums: sumsOf(statement, total.revenueMicros),
    notes: [
      "Amounts of the tables are rounded to cents; the sums are exact. The finance report shows every day.",
      ...(others.length > MOST_ROWS
        ? [`Only the first ${MOST_ROWS} entries are listed; the sums have all of them.`]
        : []),
    ],
  };
}

type Parts = Omit<StatementSale, "appName" | "provider">;

const moneyOf = ({ grossMicros, feeMicros, revenueMicros }: Parts): string[] =>
  [grossMicros, feeMicros, revenueMicros].map((micros) => formatMoney(micros));

const totalOf = (sales: readonly Parts[]): Parts => ({
  grossMicros: sales.reduce((sum, { grossMicros }) => sum + grossMicros, 0n),
  feeMicros: sales.reduce((sum, { feeMicros }) => sum + feeMicros, 0n),
  revenueMicros: sales.reduce((sum, { revenueMicros }) => sum + revenueMicros, 0n),
});

function saleRows(sales: readonly StatementSale[], nameOf: (provider: string) => string): string[][] {
  const rest = sales.slice(MOST_ROWS);
  return [
    ...sales.slice(0, MOST_ROWS).map((sale) => [`${sale.appName}, ${nameOf(sale.provider)}`, ...moneyOf(sale)]),
    ...(rest.length === 0 ? [] : [[`${rest.length} others`, ...moneyOf(totalOf(rest))]]),
  ];
}

/** From the balance before the period to the payment; each line is exact, so that they add up. */
function sumsOf(statement: Statement, revenueMicros: bigint): [string, string][] {
  const { period, openingMicros, closingMicros, others, amountMicros } = statement;
  const lines: [string, bigint][] = [
    [`Balance before ${formatDay(period.ds)}`, openingMicros],
    ["Your share of the ads sold", revenueMicros],
  ];
  for (const kind of Object.keys(KIND_LABELS) as StatementEntry["kind"][]) {
    const own = others.filter((entry) => entry.kind === kind);
    if (own.length > 0) lines.push([SUM_LABELS[kind], own.reduce((all, { micros }) => all + micros, 0n)]);
  }
  lines.push([`Balance at the end of ${formatDay(period.de)}`, closingMicros]);
  const rest = closingMicros - amountMicros;
  if (rest !== 0n)
    lines.push([rest < CENT ? "Less than a cent, which stays" : "Taken since then, and less than a cent", -rest]);
  return [
    ...lines.map(([label, micros]): [string, string] => [label, formatMoneyTo(micros, MICRO_DECIMALS)]),
    ["Paid", formatMoney(amountMicros)],
  ];
}

const SUM_LABELS = {
  ...KIND_LABELS,
  bonus: "Bonuses",
  correction: "Corrections",
  deduction: "Deductions",
  payout: "Payments of former months",
  payout_returned: "Payments that came back",
} as const;
