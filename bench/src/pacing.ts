import { capsMemory } from "./caps-memory.ts";
import type { Measurement } from "./measurement.ts";
import { type PacedDay, SCENARIOS, type SimulatedDay, simulateDay } from "./paced-day.ts";

const SEEDS = [1, 2, 3];
const MORE_SEEDS = Array.from({ length: 20 }, (_, at) => at + 4);
const REQUESTS = 200_000;
const SUPPLIES = [1.5, 3, 12] as const;
const POINTS = 5;
const DELIVERED = 0.98;
const GAP_MS = 15 * 60_000;

/** Simulated days of campaigns: how evenly they spend; and what it takes to count their caps. */
export const pacing: Measurement = {
  name: "pacing",
  title: "Pacing and frequency caps of campaigns",
  async run(say) {
    const days: (SimulatedDay & PacedDay)[] = [];
    for (const seed of [...SEEDS, ...MORE_SEEDS]) {
      for (const scenario of SCENARIOS) {
        const processes = seed % 2 === 0 ? 3 : 1;
        const day = { seed, scenario, supply: SUPPLIES[seed % 3] ?? 3, requests: REQUESTS, processes };
        const paced = await simulateDay(day);
        days.push({ ...day, ...paced });
        say(
          `seed ${seed}, ${scenario}, supply ${day.supply} ×: off ${paced.offPoints.toFixed(1)} (in hindsight ` +
            `${paced.hindsightPoints.toFixed(1)}), delivered ${percent(paced.delivered)}, gap ${minutes(paced.gapMs)}, ` +
            `paid ${percent(paced.paid)}`,
        );
      }
    }
    const caps = await capsMemory();
    const of = (seeds: readonly number[]) => days.filter(({ seed }) => seeds.includes(seed));
    const most = (list: readonly PacedDay[], what: "offPoints" | "hindsightPoints" | "gapMs") =>
      Math.max(...list.map((day) => day[what]));
    const least = (list: readonly PacedDay[]) => Math.min(...list.map(({ delivered }) => delivered));
    const [three, more] = [of(SEEDS), of(MORE_SEEDS)];
    const pair = (text: (list: PacedDay[]) => string) =>
      `${text(three)}; ${MORE_SEEDS.length} more seeds ${text(more)}`;
    return {
      figures: [
        {
          what: "Pacing: share of the budget spent against share of the traffic, at the end of every hour",
          goal: `within ${POINTS} points`,
          measured: pair((list) => most(list, "offPoints").toFixed(1)),
          reached: most(days, "offPoints") <= POINTS,
        },
        {
          what: "Pacing: budget delivered where supply is at least 1.5 × the budget",
          goal: `≥ ${DELIVERED * 100}%`,
          measured: pair((list) => percent(least(list))),
          reached: least(days) >= DELIVERED,
        },
        {
          what: "Pacing: longest time without an impression while budget and supply remain",
          goal: `≤ ${GAP_MS / 60_000} min`,
          measured: pair((list) => minutes(most(list, "gapMs"))),
          reached: most(days, "gapMs") <= GAP_MS,
        },
        {
          what: "Frequency caps: memory of a million devices of a campaign, by day and by hour",
          goal: "< 100 MB",
          measured: `${(caps.bytes / 1e6).toFixed(0)} MB, ${caps.micros.toFixed(1)} µs for each ad and impression`,
          reached: caps.bytes < 100e6,
        },
      ],
      notes: [
        `Simulated days of ${REQUESTS.toLocaleString("en")} requests with peaks at noon and in the evening, on the forecast and the ` +
          `controllers of the exchange: seeds ${SEEDS.join(", ")}, and ${MORE_SEEDS.length} more. Each seed has an ordinary day, an outage of ` +
          `two hours between the peaks, and a budget that is doubled or halved at noon. Days differ in level (15%) and each hour does (8%), ` +
          `so that the forecast from the seven days before is as wrong as forecasts are. Supply at the full bid is ${SUPPLIES.join(", ")} × the ` +
          `day's larger budget. Seeds with even numbers have three processes, each with its own controller. Of the ads, 85% are shown, some ` +
          `20 seconds later; the others hold their money for half an hour.`,
        `Nobody can foresee an edit or an outage: each begins a new plan, which is measured by what it leaves to spend and to come, and the ` +
          `plan before it by what could be expected. Measured in hindsight, by the traffic that came in the end, the days with an outage are ` +
          `off by at most ${most(three, "hindsightPoints").toFixed(1)} points (${most(more, "hindsightPoints").toFixed(1)} with the more seeds).`,
        `Shading: the average price was ${percent(average(days.map(({ paid }) => paid)))} of the full bid, and ` +
          `${percent(average(days.filter(({ supply }) => supply === 1.5).map(({ paid }) => paid)))} where supply is 1.5 × the budget.`,
      ],
    };
  },
};

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
const minutes = (ms: number): string => `${(ms / 60_000).toFixed(1)} min`;
const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
