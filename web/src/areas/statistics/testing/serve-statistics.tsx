import type { Annotation, AppParts, PublisherParts } from "@millrace/contract";
import { type SentCall, answerCalls, refused } from "../../../testing/answer-calls.ts";
import { APP_PARTS, BY_COUNTRY, CHANGES, DASH_FILTERS, PUBLISHER_PARTS } from "./sample-parts.ts";

/** The replies, which tests may change. A part that is a Response is returned as it is; a function gets the query. */
export interface Served {
  publisher?: Partial<Record<keyof PublisherParts, unknown>>;
  app?: Partial<Record<keyof AppParts, unknown>>;
  apps?: Record<string, string>;
  firstDay?: string | null;
  changes?: unknown;
  annotations?: readonly Annotation[];
  /** Files of long tables, by method and path. */
  files?: Record<string, () => unknown>;
}

export const APP_ADDRESS = `/apps/${APP_PARTS.app.uuid}/performance`;

/** Answers the calls of statistics, and returns the requests by path. */
export function serveStatistics(served: Served = {}) {
  const partOf =
    (all: object, own: () => object | undefined) =>
    ({ query }: SentCall): unknown => {
      const func = query.get("func") ?? "";
      const byCountry = func === "stats" && query.get("view") === "country" ? { stats: BY_COUNTRY } : {};
      const served = ({ ...all, ...byCountry, ...own() } as Record<string, unknown>)[func];
      const part: unknown =
        typeof served === "function" ? (served as (query: URLSearchParams) => unknown)(query) : served;
      if (part instanceof Response) return part.clone();
      return part === undefined ? refused(400, `${func} is no part`) : { [func]: part };
    };
  return answerCalls({
    "GET /apps/dash_filters.json": () => ({
      ...DASH_FILTERS,
      apps: served.apps ?? DASH_FILTERS.apps,
      first_day: served.firstDay === undefined ? DASH_FILTERS.first_day : served.firstDay,
    }),
    "GET /apps/performance/stats": partOf(PUBLISHER_PARTS, () => served.publisher),
    "GET /apps/performance/annotations.json": () => ({ annotations: [] }),
    [`GET /apps/${APP_PARTS.app.uuid}/annotations.json`]: () => ({ annotations: served.annotations ?? [] }),
    "GET /apps/performance/changes.json": () => CHANGES,
    [`GET /apps/${APP_PARTS.app.uuid}/changes.json`]: () => served.changes ?? CHANGES,
    [`GET /apps/${APP_PARTS.app.uuid}/stats.json`]: partOf(APP_PARTS, () => served.app),
    ...served.files,
  });
}
