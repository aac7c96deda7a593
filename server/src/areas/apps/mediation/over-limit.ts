/** A day's value of a partner, with the number of requests that it rests on. */
export interface DayValue {
  date: string;
  asked: number;
  value: number | null;
}

/** Fewer requests of a day say too little. */
const MIN_ASKED = 50;

/**
 * The first day of the unbroken run of days, up to the last measured one, on which a value is over its limit. Days with few
 * requests are passed over; null if the last day that counts is within the limit.
 */
export function overSince(days: readonly DayValue[], limit: number): { since: string; or_before: boolean } | null {
  const measured = days
    .filter(({ asked, value }) => asked >= MIN_ASKED && value !== null)
    .toSorted((a, b) => a.date.localeCompare(b.date));
  const within = measured.findLastIndex(({ value }) => (value ?? 0) <= limit);
  const first = measured[within + 1];
  return first === undefined ? null : { since: first.date, or_before: within === -1 };
}
