import { join } from "node:path";
import type { Registry } from "prom-client";
import { withVisitorCountry } from "../../demo/src/index.ts";
import { budgetsArea } from "./areas/budgets/index.ts";
import { keyReader, siteReader } from "./areas/demand-partners/index.ts";
import { type Exchange, addressRate, exchangeArea, openGeo } from "./areas/exchange/index.ts";
import { clickIds as clickIdsOf } from "./areas/measurement/index.ts";
import { rewardsArea } from "./areas/rewards/index.ts";
import { statisticsArea } from "./areas/statistics/index.ts";
import { dashboardAreas } from "./dashboard-areas.ts";
import { trustDemoDevices } from "./demo-devices.ts";
import type { DemoMailbox } from "./demo-mailbox.ts";
import { demoArea } from "./demo-routes.ts";
import { exchangeProcesses } from "./exchange-processes.ts";
import type { Area } from "./platform/area.ts";
import type { Clock } from "./platform/clock.ts";
import type { StoredFiles } from "./platform/files/stored-files.ts";
import type { Authenticate } from "./platform/http/caller.ts";
import type { Check } from "./platform/http/health.ts";
import type { Jobs } from "./platform/jobs/index.ts";
import type { Log } from "./platform/log.ts";
import type { Mailer } from "./platform/mail/index.ts";
import { sealer } from "./platform/sealed/sealer.ts";
import type { Settings } from "./platform/settings.ts";
import type { Roles } from "./roles.ts";
import type { Stores } from "./start-stores.ts";

interface Deps {
  settings: Settings;
  roles: Roles;
  publicUrl: string;
  stores: Stores;
  jobs: Jobs;
  mailer: Mailer;
  files: StoredFiles;
  /** The folder that the dashboard and the worker share. */
  root: string;
  /** This process's own folder. */
  dataDir: string;
  secrets: readonly string[];
  metrics: Registry;
  /** The demo's mails, if they can be read. */
  mailbox: DemoMailbox | undefined;
  /** The demo's devices prove themselves by it. */
  deviceKey: string;
  demoProgress(): number | undefined;
  clock: Clock;
  log: Log;
  /** Called when this exchange process may not run any more. */
  onLost(): void;
}

interface Composed {
  /** In the order of their dependencies. */
  areas: readonly Area[];
  /** Those that have routes here, and those that begin work of their own. */
  served: readonly Area[];
  started: readonly Area[];
  authenticate: Authenticate;
  /** What the server fills in on the landing page. */
  landing: (() => Promise<Readonly<Record<string, string>>>) | undefined;
  /** Of what several processes share, and of what this one has for itself. */
  checks: Record<string, Check>;
  ownChecks: Record<string, Check>;
  /** Called after the areas have stopped. */
  stop(): Promise<void>;
}

/** The areas of a process with these roles. Throws StartError if it may not run beside others. */
export async function composeProcess(deps: Deps): Promise<Composed> {
  const { settings, roles, publicUrl, stores, jobs, mailer, files, root, dataDir, secrets, metrics } = deps;
  const { mailbox, deviceKey, demoProgress, clock, log, onLost } = deps;
  const { pool } = stores.postgres;
  const statistics = await statisticsArea({
    clickhouse: stores.clickhouse,
    journalDir: join(dataDir, "journal"),
    clock,
    log,
    metrics,
    retentionDays: settings.retentionDays,
    retires: roles.has("worker"),
  });
  const clickIds = clickIdsOf(secrets);
  const hasDashboard = roles.has("dashboard") || roles.has("worker");
  const dashboard = hasDashboard
    ? await dashboardAreas({
        settings,
        publicUrl,
        pool,
        clickhouse: stores.clickhouse,
        statistics,
        jobs,
        mailer,
        files,
        dataDir: root,
        secrets,
        clickIds,
        mailbox,
        demoProgress,
        clock,
        log,
      })
    : undefined;

  const processes = roles.has("exchange")
    ? await exchangeProcesses({
        postgresUrl: stores.postgresUrl,
        redisUrl: settings.redisUrl,
        dataDir: dataDir,
        flush: () => statistics.flush(),
        metrics,
        clock,
        log,
        onLost,
      })
    : undefined;
  const partnerSealer = sealer(secrets);
  // Without a dashboard, the exchange reads developers' sites for the SDK's debugger itself. A dashboard's area stops its own.
  const sites = dashboard
    ? { siteState: dashboard.siteState, stop: async () => {} }
    : siteReader({ pool, sealer: partnerSealer, publicUrl, clock, log });
  const geo = await openGeo();
  const budgets = budgetsArea({ postgresUrl: stores.postgresUrl, clock, log });
  const rewards = rewardsArea({ pool, clock, log, secrets, findApp: dashboard?.findApp });
  // A dashboard without an exchange explains auctions, and sells tests.
  const exchange = await exchangeArea({
    pool,
    partnerKeys: keyReader(partnerSealer, log),
    findApp: dashboard?.findApp ?? (async () => undefined),
    siteState: sites.siteState,
    clickhouse: stores.clickhouse.read,
    look: statistics.look,
    turns: statistics.turns,
    events: statistics.events,
    recentEventIds: statistics.recentEventIds,
    noticesDir: join(dataDir, "notices"),
    clock,
    log,
    geo: settings.demo ? withVisitorCountry(geo) : geo,
    metrics,
    secrets,
    settings: { ...settings, publicUrl },
    limits: { ...settings.intake, address: addressRate(settings.intake.impsPerSecond) },
    campaigns: { budgets, statistics, clickIds },
    rewards,
    processes: processes?.shared,
    serves: { devices: roles.has("exchange"), dashboard: roles.has("dashboard") },
  });
  const areas: Area[] = [
    // The demo comes first: it sets its devices' addresses before the exchange reads them.
    ...(settings.demo ? [demoAreaOf(roles, { pool, mailbox, deviceKey })] : []),
    statistics,
    ...(roles.has("exchange") || roles.has("dashboard") ? [budgets, rewards, exchange] : []),
    ...(dashboard?.areas ?? []),
  ];
  const isOfDashboard = (area: Area) => dashboard?.areas.includes(area) === true;
  return {
    areas,
    served: areas.filter((area) => roles.has("dashboard") || !isOfDashboard(area)),
    // Areas only clean up when they start, which one process for each data directory may do.
    started: areas.filter((area) => roles.has("worker") || !isOfDashboard(area)),
    authenticate: dashboard?.authenticate ?? (async () => null),
    landing: dashboard?.landing,
    checks: processes?.checks ?? {},
    ownChecks: roles.has("exchange") ? { configuration: async () => assertConfigured(exchange) } : {},
    stop: async () => void (await Promise.all([sites.stop(), processes?.stop()])),
  };
}

function assertConfigured(exchange: Pick<Exchange, "isConfigured">): void {
  if (!exchange.isConfigured()) throw new Error("The configuration is not loaded yet");
}

/** An exchange knows the demo's devices; the dashboard has its page and its mailbox. */
function demoAreaOf(roles: Roles, deps: Parameters<typeof demoArea>[0]): Area {
  if (roles.has("dashboard")) return demoArea(deps);
  return { name: "demo", routes: (app) => trustDemoDevices(app, deps.deviceKey) };
}
