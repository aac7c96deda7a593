import { EARLIEST_DATE } from "@millrace/contract";
import { daysIn, formatDayRange, previousRange } from "@millrace/units";
import type { Filter } from "../../shared/filters/address.ts";

interface Watched {
  /** The days include today, so the figures still move. */
  live: boolean;
}

/** Whose figures, of which days, through which filters: one app's. */
export interface AppScope extends Watched {
  uuid: string;
  filter: Filter;
}

/** The same of all apps together, or of the chosen ones. */
export interface PublisherScope extends Watched {
  uuid: null;
  filter: Filter & { app_id: string[] };
}

export type Scope = AppScope | PublisherScope;

/** The equally long time before; it is over, so it is not read again and again. */
export function previousScope<S extends Scope>(scope: S): S {
  return { ...scope, filter: { ...scope.filter, ...previousRange(scope.filter) }, live: false };
}

/** False where the time before would begin before the first day that can be asked for. */
export const hasPrevious = ({ filter }: Scope): boolean => previousRange(filter).ds >= EARLIEST_DATE;

/** What figures are compared with, and whether their own days are not over yet. */
export interface Against {
  days: string;
  /** Today is among the days. */
  open: boolean;
  /** Today is so much of the days that what it still lacks shows in their sums. */
  partial: boolean;
}

const FEW_DAYS = 7;

export const againstOf = ({ filter, live }: Scope): Against => ({
  days: formatDayRange(previousRange(filter)),
  open: live,
  partial: live && daysIn(filter) <= FEW_DAYS,
});
