import { EARLIEST_DATE } from "@millrace/contract";
import { type DayRange, addDays, comparedRange, daysIn, formatDayRange } from "@millrace/units";
import type { ComparedFilter } from "./address.ts";

type Compared = Pick<ComparedFilter, "ds" | "de" | "compare">;

/** The days that a filter's days are compared with; null without a comparison, and if they would start before the earliest date. */
export function comparedDays({ ds, de, compare }: Compared): DayRange | null {
  if (compare === "none") return null;
  const range = comparedRange({ ds, de }, compare);
  return range.ds < EARLIEST_DATE ? null : range;
}

/** The same in words, with the time at which an unfinished period's comparison ends: `Nov 20th, 2026 to 05:14 UTC`. */
export function comparedPeriod(filter: Compared, until: string | null | undefined): string | null {
  const range = comparedDays(filter);
  return range === null ? null : endingAt(range, until);
}

/** The same for the rows of a table: one of the filter's days is compared with one day, and any other row, null, with all. */
export function comparedRows(
  filter: Compared,
  until: string | null | undefined,
): ((day: string | null) => string) | null {
  const range = comparedDays(filter);
  if (range === null) return null;
  const earlier = daysIn({ ds: range.ds, de: filter.ds }) - 1;
  return (day) => {
    if (day === null) return endingAt(range, until);
    const before = addDays(day, -earlier);
    // Only the last day may be unfinished.
    return endingAt({ ds: before, de: before }, before === range.de ? until : null);
  };
}

const endingAt = (range: DayRange, until: string | null | undefined): string =>
  formatDayRange(range) + (until ? ` to ${until.slice(11, 16)} UTC` : "");
