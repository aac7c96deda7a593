import { APP_FUNCS, APP_ORDERS, METRICS, TABLE_ORDERS, VIEWS } from "@millrace/contract";
import type { DashboardData } from "./dashboard-data.ts";
import { APP_WEIGHTS, PROVIDERS } from "./generated-rows.ts";

/** A call that a page makes; `kind` is what its times are gathered under. */
export interface DashboardCall {
  kind: string;
  path: string;
  /** Of how many days it asks; none where it asks of no days. */
  days?: number;
}

const RANGES = [2, 7, 30, 90] as const;
const DAY_MS = 86_400_000;

/** What people narrow the numbers to; the first is most people's. */
const FILTERS: readonly (readonly [name: string, query: string])[] = [
  ["", ""],
  ["provider", `&provider=${PROVIDERS[0]}&provider=${PROVIDERS[3]}`],
  ["format", "&format=banner"],
  ["country", "&country=US&country=DE"],
  ["all three", `&provider=${PROVIDERS[0]}&format=banner&country=US`],
];

/**
 * Every call of the statistics pages: the app list, the filters, the session, and of one app the whole page, each func, the
 * table by each view, and the file; each over several ranges of days and through several filters. `random` gives
 * numbers in [0, 1); a larger app is looked at more often.
 */
export function dashboardCalls(
  { apps, days }: Pick<DashboardData, "apps" | "days">,
  random: () => number,
): DashboardCall[] {
  const app = () => apps[weighted(APP_WEIGHTS, random())]?.uuid ?? "";
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  /** So many days in a row, ending anywhere up to the last: what was asked a moment ago is seldom asked again. */
  const range = (length: number) => {
    const first = Date.parse(days.first);
    const slack = Math.round((Date.parse(days.last) - first) / DAY_MS) + 1 - length;
    const from = first + Math.floor(random() * (slack + 1)) * DAY_MS;
    return `ds=${dayOf(from)}&de=${dayOf(from + (length - 1) * DAY_MS)}`;
  };
  const all: DashboardCall[] = [
    { kind: "session", path: "/session.json" },
    { kind: "filters", path: "/apps/dash_filters.json" },
  ];
  for (const length of RANGES) {
    const calls: DashboardCall[] = [];
    for (const [, filter] of FILTERS) {
      const asked = (more = "") => `?${range(length)}${filter}${more}`;
      calls.push({ kind: "app list", path: `/apps.json${asked(`&order=${oneOf(APP_ORDERS)}&order_type=desc`)}` });
      calls.push({ kind: "app page, whole", path: `/apps/${app()}/stats.json${asked(`&view=${oneOf(VIEWS)}`)}` });
      for (const func of APP_FUNCS) {
        const metrics = func === "graph_data" ? METRICS.map((metric) => `&metrics=${metric}`).join("") : "";
        calls.push({ kind: `func ${func}`, path: `/apps/${app()}/stats.json${asked(`&func=${func}${metrics}`)}` });
      }
      for (const view of VIEWS) {
        const order = `&view=${view}&order=${oneOf(TABLE_ORDERS)}&order_type=desc`;
        calls.push({ kind: `table by ${view}`, path: `/apps/${app()}/stats.json${asked(`&func=stats${order}`)}` });
      }
      calls.push({ kind: "table as CSV", path: `/apps/${app()}/stats.csv${asked(`&view=${oneOf(VIEWS)}`)}` });
    }
    all.push(...calls.map((call) => ({ ...call, days: length })));
  }
  return all;
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

function weighted(weights: readonly number[], at: number): number {
  let left = at * weights.reduce((sum, weight) => sum + weight, 0);
  return Math.max(
    0,
    weights.findIndex((weight) => (left -= weight) < 0),
  );
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => [random(), value] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, value]) => value);
}
