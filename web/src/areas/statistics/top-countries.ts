import type { StatRow } from "@millrace/contract";
import { ecpmMicros } from "@millrace/units";

type Figure = "revenue" | "impressions" | "sessions" | "uniques";

interface Top {
  top: StatRow[];
  /** The countries after them; null if there are none, or if their figure cannot be added up. */
  others: { count: number; value: number; before: number | null; ecpm: number | null } | null;
}

/** The first countries by a figure, and the sum of the others. Devices are no sum: one can be in two countries. */
export function topCountries(rows: readonly StatRow[], figure: Figure, count: number): Top {
  const ranked = rows
    .filter((row) => (row[figure] ?? 0) > 0)
    .toSorted((a, b) => (b[figure] ?? 0) - (a[figure] ?? 0) || (a.id < b.id ? -1 : 1));
  const rest = ranked.slice(count);
  const sumOf = (id: Figure) => rest.reduce((sum, row) => sum + (row[id] ?? 0), 0);
  return {
    top: ranked.slice(0, count),
    others:
      rest.length === 0 || figure === "uniques"
        ? null
        : {
            count: rest.length,
            value: sumOf(figure),
            before: sumBefore(rest, figure),
            ecpm: ecpmMicros(sumOf("revenue"), sumOf("impressions")),
          },
  };
}

/** A country's figure in the compared period; null if it is not known. */
export const beforeOf = (row: StatRow, figure: Figure): number | null =>
  figure === "uniques" ? null : row[`last_${figure}`];

function sumBefore(rows: readonly StatRow[], figure: Figure): number | null {
  const known = rows.flatMap((row) => beforeOf(row, figure) ?? []);
  return known.length < rows.length ? null : known.reduce((sum, part) => sum + part, 0);
}
