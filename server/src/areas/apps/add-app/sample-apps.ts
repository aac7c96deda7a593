import type { ClickHouseClient } from "@clickhouse/client";
import type { Format, Platform } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { z } from "zod";
import type { Clock } from "../../../platform/clock.ts";
import type { Jobs } from "../../../platform/jobs/index.ts";
import type { Statistics } from "../../statistics/index.ts";
import { createApp, type NewApp } from "../store.ts";

/** Made-up figures for sample apps, from the demo. */
export interface SampleFigures {
  /** Names of the providers in their figures, which a platform without the demo does not have. */
  providerNames: ReadonlyMap<string, string>;
  zones(platform: Platform): readonly { zone: string; name: string; format: Format; refreshSeconds: number }[];
  /** Writes the week before a moment; the same call twice counts once. */
  fill(write: ClickHouseClient, app: { id: number; platform: Platform }, untilMs: number): Promise<void>;
  /** Deletes all rows of an app. */
  clear(write: ClickHouseClient, appId: number): Promise<void>;
}

const SAMPLES = [
  { name: "Sample game", bundleId: "com.example.sample.game", platform: "android" },
  { name: "Sample reader", bundleId: "com.example.sample.reader", platform: "ios" },
] as const satisfies readonly NewApp[];

const QUEUE = "sample-figures";
const Job = z.object({ appId: z.int(), untilMs: z.int() });

export interface SampleApps {
  /** Adds the samples to an account without apps. Their figures follow within seconds. */
  add(client: PoolClient, accountId: number): Promise<void>;
  /** Removes the samples from a real publisher's account and returns their number; a demo account has nothing else. */
  remove(client: PoolClient, accountId: number): Promise<number>;
  /** Called after an app was removed: the figures of a sample go with it. */
  forget(client: PoolClient, app: { id: number; isSample: boolean }): Promise<void>;
}

interface SampleAppsDeps {
  pool: Pool;
  clock: Clock;
  jobs: Jobs;
  statistics: Pick<Statistics, "rewrite">;
  samples: SampleFigures;
}

/**
 * Sample apps for accounts without apps. They are marked as demo data: the exchange ignores them, their figures are in no
 * balance, and clearing the demo deletes them.
 */
export function sampleApps({ pool, clock, jobs, statistics, samples }: SampleAppsDeps): SampleApps {
  jobs.define(QUEUE, Job, settle);

  /** Brings a sample's figures in line with whether it still exists, so jobs may run twice or late. */
  async function settle({ appId, untilMs }: z.infer<typeof Job>): Promise<void> {
    const { rows } = await pool.query<{ platform: Platform; is_there: boolean }>(
      "SELECT platform, deleted_at IS NULL AS is_there FROM apps WHERE id = $1 AND demo",
      [appId],
    );
    const [app] = rows;
    if (!app) return;
    await statistics.rewrite((write) =>
      app.is_there ? samples.fill(write, { id: appId, platform: app.platform }, untilMs) : samples.clear(write, appId),
    );
  }

  const later = (client: PoolClient, appId: number) =>
    jobs.send(QUEUE, { appId, untilMs: clock.now() } satisfies z.infer<typeof Job>, { client });

  return {
    async add(client, accountId) {
      // In the list's order, because ids follow the inserts.
      for (const sample of SAMPLES) {
        const { id } = await createApp(client, accountId, { ...sample, demo: true, moderation: "live" });
        await client.query(
          `INSERT INTO zones (app_id, zone, name, format, refresh_seconds)
           SELECT $1, z.zone, z.name, z.format, z."refreshSeconds"
           FROM jsonb_to_recordset($2) AS z(zone text, name text, format text, "refreshSeconds" integer)`,
          [id, JSON.stringify(samples.zones(sample.platform))],
        );
        await later(client, id);
      }
    },
    async remove(client, accountId) {
      const { rows } = await client.query<{ id: number }>(
        `UPDATE apps SET deleted_at = $2 WHERE account_id = $1 AND demo AND deleted_at IS NULL
         AND NOT EXISTS (SELECT FROM accounts WHERE id = $1 AND demo) RETURNING id`,
        [accountId, new Date(clock.now())],
      );
      for (const { id } of rows) await later(client, id);
      return rows.length;
    },
    async forget(client, { id, isSample }) {
      if (isSample) await later(client, id);
    },
  };
}
