import cluster from "node:cluster";
import { basename, join, resolve } from "node:path";
import { callableHost, choosePort } from "./listen-address.ts";
import { createLog } from "./logger.ts";
import { PLACES } from "./places.ts";
import { systemClock } from "./platform/clock.ts";
import { openDataDir, openSocketDir } from "./platform/data-dir.ts";
import type { Log } from "./platform/log.ts";
import { loadSecrets } from "./platform/secrets/load-secrets.ts";
import type { Settings } from "./platform/settings.ts";
import { StartError } from "./platform/start-error.ts";
import { type Supervised, supervise } from "./platform/supervise.ts";
import { ReportCollector } from "./process-reports.ts";
import { type Role, type Roles, assertSharedStores } from "./roles.ts";
import { refuseDemo } from "./refuse-demo.ts";
import { shipLeftovers } from "./ship-leftovers.ts";
import { hasSealedValues } from "./sealed-columns.ts";
import { startStores, warnOfUnusedStores } from "./start-stores.ts";
import type { Platform } from "./start-platform.ts";

/** What a process of a platform is told besides its settings. */
export interface PartArgs {
  socket?: string;
  forwardTo?: string;
}

/** What a process says once it serves. */
export const READY = "ready";
const STOP_MS = 30_000;
const SOCKET = "dashboard.sock";

/**
 * Starts several exchange processes on one port, and one process for the dashboard and the jobs, to which they forward what
 * is not theirs. Each has a journal of its own; one that ends is started again, and ships what its journal holds.
 * With the exchange role alone, there are only exchange processes.
 */
export async function startExchanges(settings: Settings, roles: Roles): Promise<Platform> {
  assertSharedStores(settings, roles);
  const withDashboard = roles.has("dashboard");
  if (settings.redisUrl === undefined) {
    throw new StartError(
      `EXCHANGES=${settings.exchanges} needs REDIS_URL: several exchange processes share there which events they have counted.`,
    );
  }
  const log = createLog(settings.logLevel);
  const port = await choosePort(settings);
  const dataDir = await openDataDir(settings.dataDir);
  const stores = await startStores(settings, dataDir.path, PLACES.migrations, log);
  await warnOfUnusedStores(settings, dataDir.path, log);
  if (!settings.demo) await refuseDemo(stores);
  const publicUrl = settings.publicUrl ?? `http://${callableHost(settings.host)}:${port}`;
  const names = Array.from({ length: settings.exchanges }, (_, nth) => `exchange-${nth + 1}`);
  const inUse = [...names, ...(withDashboard ? ["dashboard"] : [])].map((name) => join(dataDir.path, name));
  await shipLeftovers({
    root: dataDir.path,
    roles,
    inUse,
    heir: inUse[0] ?? dataDir.path,
    stores,
    redisUrl: settings.redisUrl,
    clock: systemClock,
    log,
  });
  const socket = join(await openSocketDir(join(dataDir.path, "run"), SOCKET.length), SOCKET);
  const env = {
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    DATABASE_URL: stores.postgresUrl,
    CLICKHOUSE_URL: stores.clickhouseUrl,
    MILLRACE_SECRET: (
      await loadSecrets(dataDir.path, settings.secret, () => hasSealedValues(stores.postgres.pool))
    ).join(","),
    MILLRACE_DEMO: settings.demo ? "1" : "0",
    EXCHANGES: "1",
  };
  const reports = new ReportCollector(inUse.map((folder) => basename(folder)));
  const exchanges: Supervised[] = [];
  let dashboard: Supervised | undefined;

  async function stop(): Promise<void> {
    // The dashboard last: the others forward to it.
    await Promise.all(exchanges.map((one) => one.stop()));
    await dashboard?.stop();
    await stores.stop();
    await dataDir.release();
  }

  const part = (name: string, roles: Role[], folder: string, args: PartArgs) =>
    startPart({ name, roles, args, env: { ...env, DATA_DIR: folder }, reports, log });
  try {
    const args = withDashboard ? { forwardTo: socket } : {};
    for (const name of names) exchanges.push(await part(name, ["exchange"], join(dataDir.path, name), args));
    // The demo's devices ask for ads at once.
    if (withDashboard) dashboard = await part("dashboard", ["dashboard", "worker"], dataDir.path, { socket });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: publicUrl, stop };
}

interface PartOrder {
  name: string;
  roles: Role[];
  args: PartArgs;
  env: Record<string, string>;
  reports: ReportCollector;
  log: Log;
}

/** The processes of a cluster share an address, and end with this one. */
function startPart({ name, roles, args, env, reports, log }: PartOrder): Promise<Supervised> {
  return supervise({
    name,
    log: (line) => log.warn({ process: name }, line),
    readyTimeoutMs: 120_000,
    stopTimeoutMs: STOP_MS,
    spawn() {
      cluster.setupPrimary({
        exec: resolve(process.argv[1] ?? ""),
        args: ["start", ...roles.flatMap((role) => ["--role", role]), "--part", JSON.stringify(args)],
        // Its lines go to where ours go.
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      });
      const child = cluster.fork(env).process;
      reports.add(name, child);
      return child;
    },
    ready: (child, died) =>
      new Promise((done, fail) => {
        child.on("message", (message) => void (message === READY && done()));
        died.addEventListener("abort", () => fail(new Error("it ended")));
      }),
    askToStop: (child) => void child.kill("SIGTERM"),
  });
}
