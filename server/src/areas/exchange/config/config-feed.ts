import type { PoolClient } from "pg";
import type { Log } from "../../../platform/log.ts";
import { buildSnapshot } from "./build-snapshot.ts";
import {
  CONFIG_TABLES,
  type ConfigRows,
  type ConfigSource,
  type ConfigTable,
  isConfigTable,
  loadRows,
} from "./config-rows.ts";
import type { Snapshot } from "./snapshot.ts";

export interface ConfigFeedTimes {
  /** Notifications that come close together are read once. */
  debounceMs: number;
  /** Everything is read this often while notifications come. */
  pollMs: number;
  /** And this often while they cannot. */
  disconnectedPollMs: number;
}
const TIMES: ConfigFeedTimes = { debounceMs: 100, pollMs: 30_000, disconnectedPollMs: 2000 };

/** The configuration in memory, kept up with the relational store. While that is away the last one stays in force. */
export interface ConfigFeed {
  /** Null until the first load. */
  current(): Snapshot | null;
  /** Begins to listen; resolves after the first load, or after it has failed and is being tried again. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Reads these tables now, for a writer that wants to see its own change. */
  reload(tables?: Iterable<ConfigTable>): Promise<void>;
}

export function configFeed(source: ConfigSource, log: Log, times: Partial<ConfigFeedTimes> = {}): ConfigFeed {
  const { debounceMs, pollMs, disconnectedPollMs } = { ...TIMES, ...times };
  let rows: ConfigRows | null = null;
  let snapshot: Snapshot | null = null;
  let loading: Promise<void> = Promise.resolve();
  let listener: PoolClient | null = null;
  let stopped = false;
  const changed = new Set<ConfigTable>();
  let debounce: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;

  /** One load after the other: a slow one must never put back what a later one has read. */
  function reload(tables?: Iterable<ConfigTable>): Promise<void> {
    const run = loading.then(async () => {
      rows = await loadRows(source, tables ?? [], tables === undefined ? null : rows);
      const next = buildSnapshot(rows);
      if (next.version === snapshot?.version) return;
      snapshot = next;
      log.debug({ version: next.version, apps: next.apps.length }, "configuration changed");
    });
    loading = run.catch(() => undefined);
    return run;
  }

  async function reloadQuietly(tables?: Iterable<ConfigTable>): Promise<void> {
    try {
      await reload(tables);
    } catch (error) {
      log.warn({ err: error }, "the configuration could not be read; the last one stays in force");
      if (tables !== undefined) for (const table of tables) changed.add(table);
    }
  }

  function onNotification(table: string | undefined): void {
    // An unknown sender has changed something: read it all.
    for (const each of isConfigTable(table) ? [table] : CONFIG_TABLES) changed.add(each);
    debounce ??= setTimeout(() => {
      debounce = undefined;
      const tables = [...changed];
      changed.clear();
      void reloadQuietly(tables);
    }, debounceMs);
  }

  async function listen(): Promise<void> {
    const client = await source.pool.connect();
    const drop = () => {
      if (listener !== client) return;
      listener = null;
      client.release(true);
    };
    client.on("error", drop);
    client.on("end", drop);
    client.on("notification", ({ payload }) => onNotification(payload));
    listener = client;
    try {
      await client.query("LISTEN config_changed");
    } catch (error) {
      drop();
      throw error;
    }
  }

  async function keepUp(): Promise<void> {
    const wasDeaf = listener === null;
    if (wasDeaf && !stopped) await listen().catch(() => undefined);
    // After listening began, so that no change falls between the two.
    if (!stopped) await reloadQuietly();
    if (stopped) return;
    poll = setTimeout(() => void keepUp(), listener === null || snapshot === null ? disconnectedPollMs : pollMs);
    poll.unref();
  }

  // A lost listener is noticed at once, not at the next slow poll.
  const watch = setInterval(() => {
    if (listener !== null || stopped || poll === undefined) return;
    clearTimeout(poll);
    poll = undefined;
    void keepUp();
  }, disconnectedPollMs);
  watch.unref();

  return {
    current: () => snapshot,
    start: keepUp,
    async stop() {
      stopped = true;
      clearInterval(watch);
      clearTimeout(poll);
      clearTimeout(debounce);
      const client = listener;
      listener = null;
      client?.removeAllListeners("notification");
      client?.release(true);
      await loading;
    },
    reload,
  };
}
