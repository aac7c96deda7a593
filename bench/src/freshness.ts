import { setTimeout as sleep } from "node:timers/promises";
import type { BeaconOrder } from "./beacon-load.ts";
import { startChild } from "./child.ts";
import type { Measurement } from "./measurement.ts";
import { percentile } from "./quantiles.ts";
import { signIn } from "./sign-in.ts";
import { type BenchStores, rowsOf } from "./stores.ts";
import { inWorkplace } from "./workplace.ts";

const SECRET = "the-bench-signs-its-beacons-with-this";
const ROUNDS = 25;
const GOAL_MS = 5000;
const LOOK_EVERY_MS = 25;
const GIVE_UP_MS = 30_000;
const BACKGROUND = { connections: 16, perSecond: 500 };

/** From a beacon's answer to the dashboard's totals that count it. */
export const freshness: Measurement = {
  name: "freshness",
  title: "An impression in the dashboard",
  run: (say) =>
    inWorkplace({ bidders: 1, env: { MILLRACE_SECRET: SECRET } }, async ({ stores, platform, app, signIn: person }) => {
      const load = await startChild("./beacon-load.ts", []);
      const order = (what: BeaconOrder) => load.ask<object>(what);
      const cookie = await signIn(platform, person);
      const total = async () => {
        const response = await fetch(`${platform.url}/apps/${app.uuid}/stats.json?func=totals`, {
          headers: { cookie, accept: "application/json" },
        });
        return ((await response.json()) as { totals: { impressions: number } }).totals.impressions;
      };
      await order({ do: "make", beacons: ROUNDS * (BACKGROUND.perSecond + 1) * 2, secret: SECRET, appId: app.id });
      let sent = 0;
      async function send(beacons: number, perSecond?: number): Promise<void> {
        const { connections } = BACKGROUND;
        await order({
          do: "send",
          port: platform.port,
          beacons,
          connections,
          ...(perSecond !== undefined && { perSecond }),
        });
        sent += beacons;
      }

      const bare = bareEvents(stores.clickhouse);
      const waits: number[] = [];
      const floors: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        // The moment within the journal's second is another each time.
        await send(Math.round(BACKGROUND.perSecond * (0.5 + Math.random())), BACKGROUND.perSecond);
        await send(1);
        const from = performance.now();
        while ((await total()) < sent) {
          if (performance.now() - from > GIVE_UP_MS) throw new Error("An acknowledged impression does not show up");
          await sleep(LOOK_EVERY_MS);
        }
        waits.push(performance.now() - from);
        floors.push(await bare());
      }
      await load.stop();
      const [p50, worst] = [percentile(waits, 0.5), Math.max(...waits)];
      const floorMs = percentile(floors, 0.5);
      say(`p50 ${p50.toFixed(0)} ms, worst ${worst.toFixed(0)} ms; the bare insert p50 ${floorMs.toFixed(0)} ms`);
      return {
        figures: [
          {
            what: "Impression visible in the dashboard",
            goal: `≤ ${GOAL_MS / 1000} s`,
            measured: `median ${(p50 / 1000).toFixed(1)} s, longest ${(worst / 1000).toFixed(1)} s; ${(p50 / floorMs).toFixed(0)} × a bare insert (${floorMs.toFixed(0)} ms)`,
            reached: worst <= GOAL_MS,
          },
        ],
        notes: [
          "The floor is taken after each: one impression inserted straight into the store, its rollups included, and the rollup asked until it " +
            "counts it. What the platform adds is mostly the wait in the journal, 1.75 s at most while somebody looks: rows that are shipped " +
            "together cost the store a fraction of what they cost one by one.",
          `${ROUNDS} times, at other moments of the journal's rhythm: from the answer to a beacon to the first reply of \`func=totals\`, asked ` +
            `every ${LOOK_EVERY_MS} ms, that counts it. Before it come beacons at ${BACKGROUND.perSecond}/s.`,
        ],
      };
    }),
};

/** No app has this id. */
const BARE_APP = 4_000_000_000;

/** Inserts an impression without the platform; resolves to how long it takes until its rollup counts it, in milliseconds. */
function bareEvents(clickhouse: BenchStores["clickhouse"]): () => Promise<number> {
  let inserted = 0;
  return async () => {
    const from = performance.now();
    inserted += 1;
    const at = new Date().toISOString().replace("T", " ").replace("Z", "");
    const row = { app_id: BARE_APP, event_id: `bare-${inserted}`, kind: "impression", at, country: "US" };
    await clickhouse.write.insert({ table: "events", values: [row], format: "JSONEachRow" });
    const query = `SELECT toFloat64(sum(impressions)) AS seen FROM stats_hourly WHERE app_id = ${BARE_APP}`;
    while (((await rowsOf<{ seen: number }>(clickhouse, query))[0]?.seen ?? 0) < inserted) {
      if (performance.now() - from > GIVE_UP_MS) throw new Error("An inserted impression does not show up");
    }
    return performance.now() - from;
  };
}
