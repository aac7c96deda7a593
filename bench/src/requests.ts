import { seededRandom, shuffled } from "./dashboard-calls.ts";
import type { DashboardData } from "./dashboard-data.ts";
import { withDashboardPlatform } from "./dashboard-platform.ts";
import { PROVIDERS } from "./generated-rows.ts";
import { getOf, runLoad } from "./load.ts";
import type { Measurement } from "./measurement.ts";
import type { PlatformProcess } from "./platform-process.ts";
import { percentile } from "./quantiles.ts";
import { signIn } from "./sign-in.ts";
import { rowsOf } from "./stores.ts";

const ROUNDS = 5;
const GOAL_MS = 200;
const RANGES = [1, 7, 30, 90] as const;
const DAY_MS = 86_400_000;

/** Common, rare and empty filters, alone and together; some combinations match nothing, although each part is common. */
const FILTERS: readonly (readonly [name: string, query: string])[] = [
  ["no filter", ""],
  ["zone", "&zone=intro"],
  ["format", "&format=banner"],
  ["rare country", "&country=DO"],
  ["sold", "&outcome=sold"],
  ["reason", "&reason=timeout"],
  ["partner asked", `&partner=${PROVIDERS[0]}`],
  ["winner", `&winner=${PROVIDERS[9]}`],
  ["zone, country and reason", "&zone=intro&country=DO&reason=timeout"],
  ["partner, country and no ad", `&partner=${PROVIDERS[9]}&country=LK&outcome=no_ad`],
  ["winner, zone and country", `&winner=${PROVIDERS[7]}&zone=intro&country=CR`],
  ["country without requests", "&country=LI"],
  ["reason that never occurs", "&reason=blocked"],
  ["partner never asked", "&partner=unknown-partner"],
  ["zone of another format", "&zone=intro&format=banner"],
  ["partner that buys no such zone", `&partner=${PROVIDERS[13]}&zone=intro`],
];

/** How long the list of requests takes with any filter, and an auction by its id alone. */
export const requests: Measurement = {
  name: "requests",
  title: "Recorded requests over generated traffic",
  run: (say) => withDashboardPlatform(say, (data, platform) => measure(data, platform, say)),
};

async function measure(data: DashboardData, platform: PlatformProcess, say: (line: string) => void) {
  const cookie = await signIn(platform, data.signIn);
  const random = seededRandom(2);
  const times = new Map<string, number[]>();
  const roundP95: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const took: number[] = [];
    for (const { kind, path } of shuffled(await callsOf(data, random), random)) {
      const ms = await runCall(platform, cookie, path);
      took.push(ms);
      if (round > 0) times.set(kind, [...(times.get(kind) ?? []), ms]);
    }
    const p95 = percentile(took, 0.95);
    say(`round ${round}${round === 0 ? " (warm-up)" : ""}: ${took.length} calls, p95 ${p95.toFixed(1)} ms`);
    if (round > 0) roundP95.push(p95);
  }
  const all = [...times.values()].flat();
  const p95 = percentile(roundP95, 0.5);
  const [count] = await rowsOf<{ auctions: string }>(
    data.stores.clickhouse,
    "SELECT count() AS auctions FROM auctions",
  );
  const rows = [...times].map(
    ([kind, of]) =>
      `| ${kind} | ${of.length} | ${percentile(of, 0.5).toFixed(1)} | ${percentile(of, 0.95).toFixed(1)} |`,
  );
  return {
    figures: [
      {
        what: `Any filter of the requests over ${(Number(count?.auctions) / 1e6).toFixed(0)} M auctions, through the API`,
        goal: `p95 ≤ ${GOAL_MS} ms`,
        measured: `p50 ${percentile(all, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
        reached: p95 <= GOAL_MS,
      },
    ],
    notes: [
      `${all.length} calls in ${ROUNDS} rounds after a warm-up, in random order, one at a time; the p95 is that of each round, and the ` +
        `median of the rounds is told. Each filter over 1, 7, 30 and 90 days that end anywhere, of a random app; auctions by their ids alone.`,
      `By kind of call:\n\n| call | calls | p50, ms | p95, ms |\n|---|--:|--:|--:|\n${rows.join("\n")}\n`,
    ],
  };
}

async function callsOf({ apps, days, stores }: DashboardData, random: () => number) {
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const [first, last] = [Date.parse(days.first), Date.parse(days.last)];
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const calls = RANGES.flatMap((length) =>
    FILTERS.map(([kind, filter]) => {
      const slack = Math.round((last - first) / DAY_MS) + 1 - length;
      const from = first + Math.floor(random() * (slack + 1)) * DAY_MS;
      const range = `ds=${dayOf(from)}&de=${dayOf(from + (length - 1) * DAY_MS)}`;
      return { kind, path: `/apps/${oneOf(apps).uuid}/requests.json?${range}${filter}` };
    }),
  );
  const at = Math.round((first + random() * (last - first)) / 1000);
  const ids = await rowsOf<{ id: string }>(
    stores.clickhouse,
    `SELECT toString(auction_id) AS id FROM auctions WHERE app_id = ${oneOf(apps).id} AND at >= toDateTime(${at}) ORDER BY at LIMIT 3`,
  );
  return [...calls, ...ids.map(({ id }) => ({ kind: "auction by its id", path: `/auctions/${id}.json` }))];
}

/** How long a call takes, in milliseconds. */
async function runCall({ port }: PlatformProcess, cookie: string, path: string): Promise<number> {
  const { latenciesMs } = await runLoad({
    port,
    connections: 1,
    total: 1,
    request: () => getOf(path, `Cookie: ${cookie}\r\nAccept: application/json\r\n`),
    onAnswer: (_nth, status, body) => {
      if (status !== 200) throw new Error(`${path} was answered with ${status}: ${body()}`);
    },
  });
  return latenciesMs[0] ?? Number.NaN;
}
