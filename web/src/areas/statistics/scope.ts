import type { ComparedFilter } from "../../shared/filters/address.ts";
import { comparedDays } from "../../shared/filters/compared-period.ts";

interface Watched {
  /** The days include today, so the figures still change. */
  live: boolean;
}

/** The app, days and filters of figures. */
export interface AppScope extends Watched {
  uuid: string;
  filter: ComparedFilter;
}

/** The same for all apps, or for the chosen ones. */
export interface PublisherScope extends Watched {
  uuid: null;
  filter: ComparedFilter & { app_id: string[] };
}

export type Scope = AppScope | PublisherScope;

/** The compared days as a period of their own; null without a comparison. They are over, so they are not polled. */
export function comparedScope<S extends Scope>(scope: S): S | null {
  const range = comparedDays(scope.filter);
  return range === null ? null : { ...scope, filter: { ...scope.filter, ...range, compare: "none" }, live: false };
}
