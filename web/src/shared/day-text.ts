import { dayOf, formatDay } from "@millrace/units";

/** The UTC day of an instant: `Nov 19th, 2026`. */
export const dayText = (iso: string): string => formatDay(dayOf(Date.parse(iso)));
