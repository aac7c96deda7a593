import type { PoolClient } from "pg";
import type { Log } from "../../../platform/log.ts";
import { pauses } from "../../../platform/pauses.ts";
import { listPartners } from "../../demand-partners/index.ts";
import { type Position, changesSince, currentPosition } from "./config-changes.ts";
import { type AppRows, type ConfigSource, appIdsAfter, readApps } from "./config-rows.ts";
import { type ConfigState, EMPTY_STATE, type Renewed, renewState } from "./config-state.ts";
import { LearnedSkips } from "./learned-skips.ts";
import type { Snapshot } from "./snapshot.ts";

export interface ConfigFeedTimes {
  /** Notifications within this time cause one read. */
  debounceMs: number;
  /** How often changes are polled while notifications arrive. */
  pollMs: number;
  /** How often changes are polled while notifications cannot arrive. */
  disconnectedPollMs: number;
}
const TIMES: ConfigFeedTimes = { debounceMs: 100, pollMs: 30_000, disconnectedPollMs: 2000 };

/** Apps per query, so that no result blocks the event loop. */
const APPS_PER_READ = 50;

/**
 * The configuration in memory, kept in sync with the relational store. While the store is unreachable, the last
 * configuration stays in force.
 */
export interface ConfigFeed {
  /** Null until the first load. */
  current(): Snapshot | null;
  /** What was learned of partners, which is replaced as a whole. It is not part of the configuration's version. */
  skips: Pick<LearnedSkips, "of">;
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
  const { debounceMs, pollMs, disconnectedPollMs } = { ...TIMES, ...times };
  const skips = new LearnedSkips(source.pool);
  let loaded: Loaded | null = null;
  let loading: Promise<void> = Promise.resolve();
  let listener: PoolClient | null = null;
  let stopped = false;
  let debounce: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;

  /** Loads run one at a time, so that a slow one never overwrites a later one. */
  function reload(): Promise<void> {
    const run = loading.then(async () => {
      const before = loaded?.state.snapshot.version;
      loaded = await caughtUp(source, loaded ?? (await loadAll(source)));
      await skips.refresh();
      const { version, byId } = loaded.state.snapshot;
      if (version !== before) log.debug({ version, apps: byId.size }, "configuration changed");
    });
    loading = run.catch(() => undefined);
    return run;
  }

  async function reloadQuietly(): Promise<void> {
    try {
      await reload();
    } catch (error) {
      log.warn({ err: error }, "the configuration could not be read; the last one stays in force");
      reloadIn(disconnectedPollMs);
    }
  }

  function reloadIn(ms: number): void {
    if (stopped) return;
    debounce ??= setTimeout(() => {
      debounce = undefined;
      void reloadQuietly();
    }, ms).unref();
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
    client.on("notification", () => reloadIn(debounceMs));
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
    // After LISTEN, so that no change is missed in between.
    if (!stopped) await reloadQuietly();
    if (stopped) return;
    poll = setTimeout(() => void keepUp(), listener === null || loaded === null ? disconnectedPollMs : pollMs);
    poll.unref();
  }

  // Notices a lost connection before the next slow poll.
  const watch = setInterval(() => {
    if (listener !== null || stopped || poll === undefined) return;
    clearTimeout(poll);
    poll = undefined;
    void keepUp();
  }, disconnectedPollMs);
  watch.unref();

  return {
    current: () => loaded?.state.snapshot ?? null,
    skips,
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

async function loadAll(source: ConfigSource): Promise<Loaded> {
  const position = await currentPosition(source.pool);
  const partners = await listPartners(source.pool);
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
  const renewed: Renewed = { apps, ...(changes.partners && { partners: await listPartners(source.pool) }) };
  return { position: changes.next, state: await renewState(state, renewed, pauses()) };
}
