import { addDays } from "@millrace/units";

/** UTC days, inclusive. */
export interface DateRange {
  ds: string;
  de: string;
}

export interface DatePreset {
  label: string;
  range: DateRange;
}

/** The most common ranges. `limits.de` is today, and All Time begins at `first`. */
export function datePresets(limits: DateRange, first = limits.ds): DatePreset[] {
  const today = limits.de;
  const yesterday = addDays(today, -1);
  const monthStart = `${today.slice(0, 7)}-01`;
  const lastMonthEnd = addDays(monthStart, -1);
  const presets = [
    { label: "Today", range: { ds: today, de: today } },
    { label: "Yesterday", range: { ds: yesterday, de: yesterday } },
    { label: "Last 7 days", range: { ds: addDays(today, -6), de: today } },
    { label: "Last 30 days", range: { ds: addDays(today, -29), de: today } },
    { label: "This month", range: { ds: monthStart, de: today } },
    { label: "Last month", range: { ds: `${lastMonthEnd.slice(0, 7)}-01`, de: lastMonthEnd } },
  ].filter(({ range }) => range.ds >= limits.ds);
  return [...presets, { label: "All Time", range: { ds: first < limits.ds ? limits.ds : first, de: today } }];
}
