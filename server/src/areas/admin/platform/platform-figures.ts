import type { PlatformFigures } from "@millrace/contract";
import type { z } from "zod";
import { grouped } from "../../../platform/grouped.ts";
import type { PartnerRow } from "../../demand-partners/index.ts";
import type { platformCalls, platformSent, platformSums } from "./platform-sums.stat.ts";

type SumsRow = z.output<typeof platformSums.row>;
type CallsRow = z.output<typeof platformCalls.row>;
type SentRow = z.output<typeof platformSent.row>;

const SPANS = ["today", "yesterday"] as const;
type Field = "requests" | "impressions" | "invalid";

/** Both spans of a count. */
const counted = (rows: readonly SumsRow[], field: Field) => inSpans(rows, (row) => BigInt(row[field]));
const earned = (rows: readonly SumsRow[]) => inSpans(rows, ({ revenueMicros }) => revenueMicros);

function inSpans(rows: readonly SumsRow[], valueOf: (row: SumsRow) => bigint): { today: number; yesterday: number } {
  const [today, yesterday] = SPANS.map((span) =>
    Number(rows.filter((row) => row.span === span).reduce((sum, row) => sum + valueOf(row), 0n)),
  );
  return { today: today ?? 0, yesterday: yesterday ?? 0 };
}

/** The figures of all accounts. */
export function platformFigures(rows: readonly SumsRow[]): PlatformFigures["figures"] {
  return {
    requests: counted(rows, "requests"),
    impressions: counted(rows, "impressions"),
    invalid: counted(rows, "invalid"),
    revenue: earned(rows),
    fee: inSpans(rows, ({ grossMicros, revenueMicros }) => grossMicros - revenueMicros),
  };
}

function callsInSpans(rows: readonly CallsRow[]) {
  const callsIn = (wanted: CallsRow["span"]) => {
    const { asked = 0, bids = 0, timeouts = 0, errors = 0, latencies } = rows.find(({ span }) => span === wanted) ?? {};
    const [p50 = null, p95 = null] = latencies ?? [];
    return { asked, bids, timeouts, errors, p50_ms: p50, p95_ms: p95 };
  };
  return { today: callsIn("today"), yesterday: callsIn("yesterday") };
}

/** The partners with today's figures, those that earn most first. */
export function partnerFigures(
  partners: readonly Pick<PartnerRow, "id" | "name" | "active">[],
  rows: readonly SumsRow[],
  sent: readonly SentRow[],
  calls: readonly CallsRow[],
): PlatformFigures["partners"] {
  const asked = new Map(sent.map((row) => [row.provider, row.sent]));
  const rowsOf = grouped(rows, ({ provider }) => provider);
  const callsOf = grouped(calls, ({ provider }) => provider);
  return partners
    .map(({ id, name, active }) => {
      const own = rowsOf.get(id) ?? [];
      return {
        id,
        name,
        active,
        asked: asked.get(id) ?? 0,
        calls: callsInSpans(callsOf.get(id) ?? []),
        impressions: counted(own, "impressions"),
        revenue: earned(own),
      };
    })
    .toSorted((a, b) => b.revenue.today - a.revenue.today || b.asked - a.asked || (a.name < b.name ? -1 : 1));
}
