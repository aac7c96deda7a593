import { EARLIEST_DATE } from "@millrace/contract";
import { daysIn, formatDayRange, previousRange } from "@millrace/units";
import type { Filter } from "../../shared/filters/address.ts";

interface Watched {
  /** The days include today, so the figures still change. */
  live: boolean;
}

/** The app, days and filters of figures. */
export interface AppScope extends Watched {
  uuid: string;
  filter: Filter;
}

/** The same for all apps, or for the chosen ones. */
export interface PublisherScope extends Watched {
  uuid: null;
  filter: Filter & { app_id: string[] };
}

export type Scope = AppScope | PublisherScope;

/** The previous period of the same length. It is over, so it is not polled. */
export function previousScope<S extends Scope>(scope: S): S {
  return { ...scope, filter: { ...scope.filter, ...previousRange(scope.filter) }, live: false };
}

/** False if the previous period would start before the earliest date. */
export const hasPrevious = ({ filter }: Scope): boolean => previousRange(filter).ds >= EARLIEST_DATE;

/** The period that figures are compared with, and whether their own period is over. */
export interface Against {
  days: string;
  /** The period includes today. */
  open: boolean;
  /** Today is a large part of the period, so the sums are visibly incomplete. */
  partial: boolean;
}

const FEW_DAYS = 7;

export const againstOf = ({ filter, live }: Scope): Against => ({
  days: formatDayRange(previousRange(filter)),
  open: live,
  partial: live && daysIn(filter) <= FEW_DAYS,
});
