import type { LearnedFloor, PriceFactors, Skips } from "@millrace/learning";
import type { PoolClient } from "pg";
import { z } from "zod";
import type { Log } from "../../../platform/log.ts";
import { pauses } from "../../../platform/pauses.ts";
import { FLOOR_TABLE, LINE_FILL_TABLE, LINE_PRICE_TABLE, SKIP_TABLE } from "../../apps/index.ts";
import { type Position, changesSince, currentPosition } from "./config-changes.ts";
import { type AppRows, type ConfigSource, appIdsAfter, readApps } from "./config-rows.ts";
import { type ConfigState, EMPTY_STATE, type Renewed, renewState } from "./config-state.ts";
import { CurrentRates } from "./current-rates.ts";
import { KillSwitches, type KnownSwitches } from "./kill-switches.ts";
import { LearnedTable } from "./learned-table.ts";
import type { Snapshot } from "./snapshot.ts";

export interface ConfigFeedTimes {
  /** Notifications within this time cause one read. */
  debounceMs: number;
  /** How often everything is polled while notifications arrive, for those that are lost. */
  pollMs: number;
  /** How often it is polled while notifications cannot arrive, or after a read that failed. */
  retryMs: number;
}
const TIMES: ConfigFeedTimes = { debounceMs: 100, pollMs: 30_000, retryMs: 2000 };

const Floor = z
  .object({ step: z.int(), state: z.string() })
  .transform(({ step, state }): LearnedFloor => ({ step, isProven: state === "holds" }));
const SkipTable = z.record(z.string(), z.record(z.string(), z.boolean()));
const Belief = z.object({ mean: z.number(), sd: z.number().positive() });

/** A central bank publishes none on holidays. */
const RATE_DAYS = 7;

/** Apps per query, so that no result blocks the event loop. */
const APPS_PER_READ = 50;

/**
 * The configuration in memory, kept in sync with the relational store. While the store is unreachable, the last
 * configuration stays in force.
 */
export interface ConfigFeed {
  /** Null until the configuration and the kill switches are read: nothing may be sold that is switched off. */
  current(): Snapshot | null;
  /** Where partners never bid, by partner; what is believed of line items' prices, and where they never fill, by their ids as participants; floors by app and cell. */
  learned: {
    skips: Pick<LearnedTable<Skips>, "of">;
    linePrices: Pick<LearnedTable<PriceFactors>, "of">;
    lineFills: Pick<LearnedTable<Skips>, "of">;
    floors: Pick<LearnedTable<Readonly<Record<string, LearnedFloor>>>, "of">;
  };
  /**
   * The exchange rates and the operator's kill switches. They are not part of the configuration's version: each trace has what it used of
   * them.
   */
  inForce: { rates: Pick<CurrentRates, "toUsd">; switches: KnownSwitches };
  /** Starts to listen. Resolves after the first load, or after it has failed and will be retried. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Reads pending changes now, for a writer that needs to see its own. */
  reload(): Promise<void>;
}

interface Loaded {
  position: Position;
  state: ConfigState;
}

export function configFeed(source: ConfigSource, log: Log, times: Partial<ConfigFeedTimes> = {}): ConfigFeed {
  const { debounceMs, pollMs, retryMs } = { ...TIMES, ...times };
  const skips = new LearnedTable(source.pool, SKIP_TABLE, SkipTable);
  const lineFills = new LearnedTable(source.pool, LINE_FILL_TABLE, SkipTable);
  const linePrices = new LearnedTable(
    source.pool,
    LINE_PRICE_TABLE,
    z.record(z.string(), z.record(z.string(), Belief)),
  );
  const floors = new LearnedTable(source.pool, FLOOR_TABLE, z.record(z.string(), z.record(z.string(), Floor)));
  const rates = new CurrentRates(source.pool, source.rateDays ?? RATE_DAYS);
  const switches = new KillSwitches(source.pool, log);
  let loaded: Loaded | null = null;
  let loading: Promise<void> = Promise.resolve();
  let listener: PoolClient | null = null;
  let listening: Promise<void> = Promise.resolve();
  let stopped = false;
  let hasFailed = false;
  let debounce: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;
  let watch: NodeJS.Timeout | undefined;

  /** Loads run one at a time, so that a slow one never overwrites a later one. */
  function load(): Promise<void> {
    const run = loading.then(async () => {
      const before = loaded?.state.snapshot.version;
      loaded = await caughtUp(source, loaded ?? (await loadAll(source)));
      const { version, byId } = loaded.state.snapshot;
      if (version !== before) log.debug({ version, apps: byId.size }, "configuration changed");
      // A table that another version has published, and this one cannot read, must not keep back the rates and the other tables.
      const read = await Promise.allSettled(
        [skips, linePrices, lineFills, floors, rates].map((each) => each.refresh()),
      );
      for (const each of read) if (each.status === "rejected") throw each.reason;
    });
    loading = run.catch(() => undefined);
    return run;
  }

  async function loadQuietly(): Promise<void> {
    try {
      await load();
      hasFailed = false;
    } catch (error) {
      log.warn({ err: error }, "the configuration could not be read; the last one stays in force");
      hasFailed = true;
    }
  }

  function onNotification(): void {
    if (stopped) return;
    debounce ??= setTimeout(() => {
      debounce = undefined;
      // Not behind a slow load: they are in force within seconds.
      void switches.refresh();
      void loadQuietly();
    }, debounceMs).unref();
  }

  async function listen(): Promise<void> {
    const client = await source.pool.connect();
    if (stopped) {
      client.release();
      return;
    }
    const drop = () => {
      if (listener !== client) return;
      listener = null;
      client.release(true);
    };
    client.on("error", drop);
    client.on("end", drop);
    client.on("notification", onNotification);
    listener = client;
    try {
      await client.query("LISTEN config_changed");
    } catch (error) {
      drop();
      throw error;
    }
  }

  async function keepUp(): Promise<void> {
    if (listener === null && !stopped) await (listening = listen().catch(() => undefined));
    // After LISTEN, so that no change is missed in between.
    if (!stopped) await loadQuietly();
    if (stopped) return;
    poll = setTimeout(() => void keepUp(), pollMs).unref();
  }

  /** Polls at once if notifications cannot arrive, or the last read failed. */
  function watchOver(): void {
    if (stopped || poll === undefined || (listener !== null && !hasFailed)) return;
    clearTimeout(poll);
    poll = undefined;
    void keepUp();
  }

  return {
    current: () => (switches.areKnown ? (loaded?.state.snapshot ?? null) : null),
    learned: { skips, linePrices, lineFills, floors },
    inForce: { rates, switches },
    async start() {
      watch = setInterval(watchOver, retryMs).unref();
      // The switches have a poll of their own.
      await Promise.all([switches.start(), keepUp()]);
    },
    async stop() {
      stopped = true;
      clearInterval(watch);
      clearTimeout(poll);
      clearTimeout(debounce);
      const client = listener;
      listener = null;
      client?.removeAllListeners("notification");
      client?.release(true);
      await Promise.all([listening, loading, switches.stop()]);
    },
    async reload() {
      await Promise.all([switches.refresh(), load()]);
    },
  };
}

async function loadAll(source: ConfigSource): Promise<Loaded> {
  const position = await currentPosition(source.pool);
  const partners = await source.partnerKeys.partners(source.pool);
  const apps = new Map<number, AppRows>();
  for (let ids = await appIdsAfter(source.pool, 0, APPS_PER_READ); ids.length > 0;) {
    for (const rows of await readApps(source, ids)) apps.set(rows.app.id, rows);
    ids = await appIdsAfter(source.pool, ids.at(-1) ?? 0, APPS_PER_READ);
  }
  for (const reader of source.campaigns ?? []) await reader?.renewAll();
  return { position, state: await renewState(EMPTY_STATE, { partners, apps }, pauses()) };
}

async function caughtUp(source: ConfigSource, { position, state }: Loaded): Promise<Loaded> {
  const changes = await changesSince(source.pool, position);
  if (changes.all) return loadAll(source);
  const apps = new Map<number, AppRows | null>();
  for (let from = 0; from < changes.appIds.length; from += APPS_PER_READ) {
    const ids = changes.appIds.slice(from, from + APPS_PER_READ);
    for (const id of ids) apps.set(id, null);
    for (const rows of await readApps(source, ids)) apps.set(rows.app.id, rows);
  }
  for (const reader of source.campaigns ?? []) await reader?.renew(changes.campaignIds);
  const renewed: Renewed = {
    apps,
    ...(changes.partners && { partners: await source.partnerKeys.partners(source.pool) }),
  };
  return { position: changes.next, state: await renewState(state, renewed, pauses()) };
}
