import { z } from "zod";
import { PLATFORMS } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { Day, Micros, Uuid } from "./fields.ts";
import { StatsFilter, inOrder } from "./filters.ts";

/**
 * The days and filters of the finance report. Bonuses, payouts and other money that names neither an app nor a provider
 * are left out under a filter.
 */
export const ReportQuery = inOrder(StatsFilter.pick({ ds: true, de: true, provider: true, app_id: true }));
export type ReportQuery = z.output<typeof ReportQuery>;

/** What was added to the balance and what was taken from it; neither is negative. */
const Sides = z.object({ credit: Micros, debet: Micros });

/** What a part of a day's figure is for; negative amounts were taken. A day's hints add up to its credit less its debet. */
const Hint = z.object({ reason: z.string(), amount: Micros });
export type ReportHint = z.infer<typeof Hint>;

const ProviderHint = Hint.extend({
  provider: z.string(),
  /** The provider's name. */
  name: z.string(),
  /** The UTC day of the traffic; null if it is about no single day. */
  day: Day.nullable(),
});
export type ReportProviderHint = z.infer<typeof ProviderHint>;

const byDay = <H extends z.ZodType>(hint: H) => z.array(Sides.extend({ date: Day, hints: z.array(hint) }));

const TransFigures = z.object({
  /** What the traffic of the day itself has earned. */
  credit: Micros,
  /** Always 0: there is no referral programme. */
  referral_amount: Micros,
  /** Paid out, less what payouts brought back: negative if more came back than left. */
  cash_out: Micros,
  /** Everything that was taken other than by payouts: the debets of bonuses and of both kinds of corrections. */
  debet: Micros,
  /** The change of the balance: all credits and the referral, less payouts and debets. */
  amount: Micros,
});

export const FinanceReport = z.object({
  ds: Day,
  de: Day,
  /** What was booked in the range for each provider's ads, corrections included; the largest first. */
  providers: z.array(z.object({ provider: z.string(), name: z.string(), revenue: Micros })),
  /** The same for each app. Both lists add up to the total credit and provider corrections. */
  adtoapp_apps: z.array(
    z.object({
      /** Null for provider corrections that name no app. */
      app_id: z.int().nullable(),
      /** Null for a deleted app. */
      uuid: Uuid.nullable(),
      name: z.string(),
      platform: z.enum(PLATFORMS).nullable(),
      revenue: Micros,
    }),
  ),
  bonuses: byDay(Hint),
  corrections: byDay(Hint),
  /** What became known of a provider's traffic after its day was booked, and deductions that name a provider. */
  provider_corrections: byDay(ProviderHint),
  /** A row for each UTC day with postings, the first day first. */
  trans: z.array(TransFigures.extend({ date: Day })),
  totals: TransFigures.extend({ bonuses: Sides, corrections: Sides, provider_corrections: Sides }),
  /** The balance before the first day and after the last one; null under a filter, as a balance has no parts. */
  opening: Micros.nullable(),
  closing: Micros.nullable(),
  /** The last UTC day whose traffic is booked; null before the first. */
  booked_until: Day.nullable(),
});
export type FinanceReport = z.infer<typeof FinanceReport>;

export const financeReport = defineCall({
  method: "GET",
  path: "/api/report",
  summary: "Get what moved a publisher's balance by day: revenue, bonuses, corrections and payouts, from the ledger",
  access: "report.read",
  query: ReportQuery,
  reply: FinanceReport,
});

/** `/report` is the page. */
export const financeReportCsv = defineCall({
  method: "GET",
  path: "/report.csv",
  summary: "Download the finance report as CSV, exact to the micro-dollar, with the reasons of corrections",
  access: "report.read",
  query: ReportQuery,
  reply: z.string(),
  replyTypes: ["text/csv"],
});

export const financeReportPdf = defineCall({
  method: "GET",
  path: "/report/gen_report_pdf",
  summary: "Download the finance report as PDF, with the balances and the reasons of corrections",
  access: "report.read",
  query: ReportQuery,
  reply: z.string(),
  replyTypes: ["application/pdf"],
});

/** The figures of the report's table, in its order. Each day's figures before its change add up to it. */
export const REPORT_FIGURES = [
  "revenue",
  "provider_corrections",
  "bonuses",
  "corrections",
  "paid_out",
  "change",
] as const;
export type ReportFigure = (typeof REPORT_FIGURES)[number];

export const REPORT_HEADS = {
  revenue: "Revenue",
  provider_corrections: "Provider corrections",
  bonuses: "Bonuses",
  corrections: "Corrections",
  paid_out: "Paid out",
  change: "Change",
} as const satisfies Record<ReportFigure, string>;

/** A row of the report's table, in micro-dollars; negative for what was taken. */
export interface ReportRow extends Record<ReportFigure, number> {
  /** Null for the total. */
  date: string | null;
  /** The balance after it; null under a filter. */
  balance: number | null;
}

type Tabled = Pick<
  FinanceReport,
  "trans" | "bonuses" | "corrections" | "provider_corrections" | "totals" | "opening" | "closing"
>;

/** The report as a table: a row for each day with postings, the first day first, and their total. */
export function reportRows(report: Tabled): { rows: ReportRow[]; total: ReportRow } {
  const netOf = ({ credit, debet }: z.infer<typeof Sides>): number => credit - debet;
  const netsOf = (days: readonly (z.infer<typeof Sides> & { date: string })[]) =>
    new Map(days.map((day) => [day.date, netOf(day)]));
  const [bonuses, corrections, fromProviders] = [
    netsOf(report.bonuses),
    netsOf(report.corrections),
    netsOf(report.provider_corrections),
  ];
  let balance = report.opening;
  const rows = report.trans.map(({ date, credit, cash_out: paidOut, amount }): ReportRow => {
    balance = balance === null ? null : balance + amount;
    return {
      date,
      revenue: credit,
      provider_corrections: fromProviders.get(date) ?? 0,
      bonuses: bonuses.get(date) ?? 0,
      corrections: corrections.get(date) ?? 0,
      // No negative zero, which would be written as such.
      paid_out: 0 - paidOut,
      change: amount,
      balance,
    };
  });
  const { totals } = report;
  return {
    rows,
    total: {
      date: null,
      revenue: totals.credit,
      provider_corrections: netOf(totals.provider_corrections),
      bonuses: netOf(totals.bonuses),
      corrections: netOf(totals.corrections),
      paid_out: 0 - totals.cash_out,
      change: totals.amount,
      balance: report.closing,
    },
  };
}
