import { dayOf, formatDay } from "@millrace/units";

/** The UTC day of an instant: `Nov 19th, 2026`. */
export const dayText = (iso: string): string => formatDay(dayOf(Date.parse(iso)));

/** An instant in UTC, to the minute: `Nov 19th, 2026, 14:05`. */
export const formatMoment = (iso: string): string => `${dayText(iso)}, ${new Date(iso).toISOString().slice(11, 16)}`;
