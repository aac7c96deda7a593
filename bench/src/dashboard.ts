import { bareQuery } from "./bare-queries.ts";
import { type DashboardCall, dashboardCalls, seededRandom, shuffled } from "./dashboard-calls.ts";
import type { DashboardData } from "./dashboard-data.ts";
import { withDashboardPlatform } from "./dashboard-platform.ts";
import { getOf, runLoad } from "./load.ts";
import type { Measurement } from "./measurement.ts";
import type { PlatformProcess } from "./platform-process.ts";
import { percentile } from "./quantiles.ts";
import { signIn } from "./sign-in.ts";

const ROUNDS = 5;
const GOAL_MS = 100;
/** The p95 of the calls against that of the bare queries. */
const RATIO_GOAL = 4;

/** How long the dashboard's calls take over a hundred million events. */
export const dashboard: Measurement = {
  name: "dashboard",
  title: "Dashboard calls over generated traffic",
  run: (say) => withDashboardPlatform(say, (data, platform) => measure(data, platform, say)),
};

async function measure(data: DashboardData, platform: PlatformProcess, say: (line: string) => void) {
  const cookie = await signIn(platform, data.signIn);
  const random = seededRandom(1);
  const times = new Map<string, number[]>();
  const timesByDays = new Map<number, number[]>();
  const slowest: { path: string; ms: number }[] = [];
  const roundP95: number[] = [];
  const ratios: number[] = [];
  const floors: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const calls = shuffled(dashboardCalls(data, random), random);
    const took: number[] = [];
    const bare: number[] = [];
    // By turns, so that what else the machine does is shared by both.
    for (const call of calls) {
      bare.push(await bareQuery(data, call));
      took.push(await runCall(platform, cookie, call));
    }
    const p95 = percentile(took, 0.95);
    const bareP95 = percentile(bare, 0.95);
    say(
      `round ${round}${round === 0 ? " (warm-up)" : ""}: ${calls.length} calls, p50 ${percentile(took, 0.5).toFixed(1)}, p95 ${p95.toFixed(1)} ms; bare queries p95 ${bareP95.toFixed(1)} ms`,
    );
    if (round === 0) continue;
    roundP95.push(p95);
    ratios.push(p95 / bareP95);
    floors.push(bareP95);
    for (const [nth, { kind, path, days }] of calls.entries()) {
      const ms = took[nth] ?? Number.NaN;
      if (days !== undefined) timesByDays.set(days, [...(timesByDays.get(days) ?? []), ms]);
      times.set(kind, [...(times.get(kind) ?? []), ms]);
      slowest.push({ path, ms });
    }
  }
  const all = [...times.values()].flat();
  const p95 = percentile(roundP95, 0.5);
  const ratio = percentile(ratios, 0.5);
  const worst = slowest.toSorted((a, b) => b.ms - a.ms).slice(0, 15);
  for (const { path, ms } of worst) say(`${ms.toFixed(0)} ms ${path}`);
  const row = ([what, of]: readonly [string | number, readonly number[]]) =>
    `| ${what} | ${of.length} | ${percentile(of, 0.5).toFixed(1)} | ${percentile(of, 0.95).toFixed(1)} |`;
  const rows = [...times].toSorted(([, a], [, b]) => percentile(b, 0.95) - percentile(a, 0.95)).map(row);
  return {
    figures: [
      {
        what: `Dashboard calls over ${(data.rows / 1e6).toFixed(0)} M events, through the API`,
        goal: `p95 ≤ ${GOAL_MS} ms`,
        measured: `p50 ${percentile(all, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
        reached: p95 <= GOAL_MS,
      },
      {
        what: "Dashboard calls against bare queries of the same rollups",
        goal: `p95 ≤ ${RATIO_GOAL} ×`,
        measured: `${ratio.toFixed(2)} × (p95 of the bare queries ${percentile(floors, 0.5).toFixed(0)} ms)`,
        reached: ratio <= RATIO_GOAL,
      },
    ],
    notes: [
      `${all.length} calls in ${ROUNDS} rounds after a warm-up, in random order, one at a time, with a signed-in session; the p95 is that ` +
        `of each round, and the median of the rounds is told. Every func, view and filter, over 2, 7, 30 and 90 days that begin anywhere: ` +
        `what was asked a moment ago is seldom asked again, so that most answers come from the store and not from memory; of charts by day and of 90 days, of which there are no others, many come from memory.`,
      "The floor is asked before each call, of the store itself: plain queries of the rollups of its apps, days and filters. Sums by day and, " +
        "where the call tells devices, their exact number without a sample; neither comes from memory. The p95 of the calls of a round is " +
        "divided by that of the bare queries, and the median of the rounds is told.",
      `${data.rows} rows of auctions and events (sessions, impressions, clicks) of 90 days, 12 apps of which the largest has a third, ` +
        `5 zones and formats each, 60 countries, 14 providers and about 3 million devices, made inside the store and through its rollups.`,
      `By kind of call:\n\n| call | calls | p50, ms | p95, ms |\n|---|--:|--:|--:|\n${rows.join("\n")}\n`,
      `By how many days are asked for. There are no more than 90, so that these calls differ by app, filter and part alone, and after the first rounds many are answered from memory, where answers about days that are over, and the devices of each such day, stay for five minutes:\n\n| days | calls | p50, ms | p95, ms |\n|--:|--:|--:|--:|\n${[...timesByDays].map(row).join("\n")}\n`,
      "What counts unique devices is dearest (decision 13): tables by country, in which most groups are counted whole, charts by day and filters by provider over many days of large apps, and all apps side by side.",
    ],
  };
}

/** How long a call takes, in milliseconds. */
async function runCall({ port }: PlatformProcess, cookie: string, { path }: DashboardCall): Promise<number> {
  const headers = `Cookie: ${cookie}\r\nAccept: application/json\r\n`;
  const { latenciesMs } = await runLoad({
    port,
    connections: 1,
    total: 1,
    request: () => getOf(path, headers),
    onAnswer: (_nth, status, body) => {
      if (status !== 200) throw new Error(`${path} was answered with ${status}: ${body()}`);
    },
  });
  return latenciesMs[0] ?? Number.NaN;
}
