import {
  CAMPAIGN_PROVIDER,
  DEDUCTION_REASONS,
  type DeductionReason,
  type PaidCause,
  type ReportedCause,
  STATEMENT_CAUSES,
  type StatementCause,
  UNPAID_PROVIDERS,
} from "@millrace/contract";
import { divideRounded } from "@millrace/units";
import type { Steps } from "./three-numbers.ts";

/** What the ledger has of a UTC day, app and provider, in micro-dollars. */
export interface RevenueCell {
  day: string;
  appId: number;
  /** Empty for deductions that name no provider. */
  provider: string;
  grossMicros: bigint;
  /** The publisher's part. */
  revenueMicros: bigint;
  /** What the partner's statements say more or less than `grossMicros`, by cause. */
  stated: Record<StatementCause, bigint>;
  /** Whether the partner has stated anything of it. */
  isStated: boolean;
  deducted: Record<DeductionReason, bigint>;
  givenBackMicros: bigint;
  /** Parts of the publisher's part less what was deducted: paid out, on its way, and due but held back, by cause. */
  paidMicros: bigint;
  onItsWayMicros: bigint;
  heldBack: Record<"drift" | "blocked", bigint>;
}

/** Whose numbers they are: a publisher's part, or all that is paid for the ads. */
export type Side = "publisher" | "platform";

/** Our own campaigns and cross promotions are counted by nobody else, and what line items earn is in no book. */
export const isPartners = (provider: string): boolean =>
  provider !== "" && provider !== CAMPAIGN_PROVIDER.id && !UNPAID_PROVIDERS.includes(provider);

/**
 * The three numbers of a cell. The publisher's part of a difference is as large as its part of the price; of a cell without a price of
 * ours, as its part of all the others.
 */
export function numbersOf(cell: RevenueCell, side: Side, usual: { gross: bigint; revenue: bigint }): Steps {
  const { grossMicros: gross, revenueMicros: revenue } = cell;
  const estimated = side === "publisher" ? revenue : gross;
  const toReported = new Map<ReportedCause, bigint>();
  if (isPartners(cell.provider) && !cell.isStated) {
    toReported.set("not_reported", -estimated);
  } else {
    const share = side === "platform" ? { part: 1n, of: 1n } : shareOf({ gross, revenue }, usual);
    // Parts of running sums, so that the parts of all causes add up to the part of their sum.
    let [sum, partOfSum] = [0n, 0n];
    for (const cause of STATEMENT_CAUSES) {
      sum += cell.stated[cause];
      const part = divideRounded(sum * share.part, share.of);
      toReported.set(cause, part - partOfSum);
      partOfSum = part;
    }
  }
  const difference = [...toReported.values()].reduce((total, micros) => total + micros, 0n);
  const toPaid = new Map<PaidCause, bigint>([
    ...(side === "platform" ? ([["our_fee", revenue - gross]] as const) : []),
    ["borne", -difference],
    ...DEDUCTION_REASONS.map((reason) => [`deducted_${reason}`, -cell.deducted[reason]] as const),
    ["given_back", cell.givenBackMicros],
  ]);
  const taken = DEDUCTION_REASONS.reduce((total, reason) => total + cell.deducted[reason], 0n);
  const due = revenue - taken + cell.givenBackMicros;
  const { drift, blocked } = cell.heldBack;
  toPaid.set("drift", -drift);
  toPaid.set("blocked", -blocked);
  toPaid.set("on_its_way", -cell.onItsWayMicros);
  toPaid.set("not_yet_paid", cell.paidMicros + cell.onItsWayMicros + drift + blocked - due);
  return { estimated, toReported, toPaid };
}

function shareOf(own: { gross: bigint; revenue: bigint }, usual: typeof own): { part: bigint; of: bigint } {
  const { gross, revenue } = own.gross === 0n ? usual : own;
  return gross === 0n ? { part: 1n, of: 1n } : { part: revenue, of: gross };
}
