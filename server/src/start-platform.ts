import { postback } from "@millrace/contract";
import { createHmac } from "node:crypto";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Registry } from "prom-client";
import { type Demo, startDemo } from "../../demo/src/index.ts";
import { buildApp } from "./app.ts";
import { hashPassword } from "./areas/accounts/index.ts";
import { accountPostbackKey } from "./areas/measurement/index.ts";
import { LEARN_FLOORS } from "./areas/apps/index.ts";
import { ACCRUE_ALL, assertIssuer } from "./areas/payments/index.ts";
import { composeProcess } from "./compose-process.ts";
import { mailboxUrl } from "./demo-mailbox.ts";
import { callableHost, choosePort, listenFailure } from "./listen-address.ts";
import { createLog } from "./logger.ts";
import { pageSources } from "./page-sources.ts";
import { PLACES } from "./places.ts";
import { systemClock } from "./platform/clock.ts";
import { openDataDir } from "./platform/data-dir.ts";
import { assertDiskSpace } from "./platform/disk-space.ts";
import { filesAt } from "./platform/files/files-in-bucket.ts";
import { openJobs } from "./platform/jobs/index.ts";
import type { Log } from "./platform/log.ts";
import { openMailer } from "./platform/mail/index.ts";
import { loadSecrets } from "./platform/secrets/load-secrets.ts";
import { sealer } from "./platform/sealed/sealer.ts";
import { newToken } from "./platform/secrets/token.ts";
import type { Settings } from "./platform/settings.ts";
import { otherProcesses } from "./process-reports.ts";
import { ALL_ROLES, type Roles, assertSharedStores, folderOf } from "./roles.ts";
import { refuseDemo } from "./refuse-demo.ts";
import { shipLeftovers } from "./ship-leftovers.ts";
import { hasSealedValues } from "./sealed-columns.ts";
import { startStores, warnOfUnusedStores } from "./start-stores.ts";
import { announce, showProgress } from "./terminal.ts";

export interface Platform {
  url: string;
  /** Refuses new requests, completes running ones, ships the counted events, and ends the children. */
  stop(): Promise<void>;
}

/** A process of a platform. */
interface Part {
  roles: Roles;
  /** A socket to listen on instead of the address; requests come through the processes that forward to it. */
  socket?: string | undefined;
  /** The socket of the process that answers what this one does not. */
  forwardTo?: string | undefined;
  /** Another process of the platform starts this one, and has seen to what earlier processes left. */
  isChild?: boolean;
  /** Called when the process may not run any more. */
  onLost?(): void;
}

/** Starts what a process does, with its stores as children. Throws StartError with an actionable message. */
export async function startPlatform(settings: Settings, part: Part = { roles: ALL_ROLES }): Promise<Platform> {
  const { roles } = part;
  await assertFit(settings, roles);
  const startedAt = performance.now();
  const log = createLog(settings.logLevel);
  const clock = systemClock;
  const port = part.socket === undefined ? await choosePort(settings) : settings.port;
  // The dashboard and the worker share the folder, where each has a part for its own journal.
  const root = resolve(settings.dataDir);
  const dataDir = await openDataDir(folderOf(root, roles));
  const stores = await startStores(settings, dataDir.path, PLACES.migrations, log);
  if (part.isChild !== true) await warnOfUnusedStores(settings, root, log);
  if (!settings.demo) await refuseDemo(stores);
  const { pool } = stores.postgres;
  if (part.isChild !== true) {
    await shipLeftovers({
      root,
      roles,
      inUse: [root],
      heir: root,
      stores,
      redisUrl: settings.redisUrl,
      clock,
      log,
    });
  }
  const secrets = await loadSecrets(dataDir.path, settings.secret, () => hasSealedValues(pool));
  const mailDir = join(root, "mail");
  const mailer = await openMailer({
    smtpUrl: settings.smtpUrl,
    from: settings.mailFrom,
    replyTo: settings.operator.email,
    dir: mailDir,
    log,
    clock,
  });
  const metrics = new Registry();
  const jobs = openJobs({ pool, log, metrics, runs: roles.has("worker") });
  const publicUrl = settings.publicUrl ?? `http://${callableHost(settings.host)}:${port}`;
  warnOf(settings, { roles, publicUrl, mailDir, log });
  let demo: Demo | undefined;

  const files = filesAt(settings.filesUrl, join(root, "files"));
  const mailbox = settings.demo && settings.smtpUrl === undefined ? { dir: mailDir, key: newToken() } : undefined;
  const deviceKey = createHmac("sha256", secrets[0] ?? "")
    .update("demo devices")
    .digest("base64url");
  const composed = await composeProcess({
    settings,
    roles,
    publicUrl,
    stores,
    jobs,
    mailer,
    files,
    root,
    dataDir: dataDir.path,
    secrets,
    metrics,
    mailbox,
    deviceKey,
    demoProgress: () => demo?.progress(),
    clock,
    log,
    onLost: () => part.onLost?.(),
  }).catch(async (error: unknown) => {
    await stores.stop();
    await dataDir.release();
    throw error;
  });

  const app = await buildApp({
    areas: composed.served,
    roles,
    files,
    authenticate: composed.authenticate,
    checks: { ...stores.checks, ...composed.checks },
    ownChecks: { ...composed.ownChecks, disk_space: () => assertDiskSpace(dataDir.path) },
    metrics,
    processes: part.isChild === true ? otherProcesses() : undefined,
    publicUrl,
    // The process that forwards is one more proxy.
    trustedProxies: settings.trustedProxies + (part.socket === undefined ? 0 : 1),
    forwardTo: part.forwardTo,
    callsPerMinute: settings.callsPerMinute,
    metricsToken: settings.metricsToken,
    demo: settings.demo,
    pageSources: pageSources(settings),
    landing: composed.landing,
    log,
  });

  async function stop(): Promise<void> {
    await demo?.stop();
    await app.close();
    await jobs.stop();
    // In reverse: when an area stops, the areas it depends on still run.
    for (const area of composed.areas.toReversed()) await area.stop?.();
    await composed.stop();
    await mailer.close();
    await stores.stop();
    await dataDir.release();
  }

  try {
    for (const area of composed.started) await area.start?.();
    if (hasJobs(roles)) await jobs.start();
    // A socket is this process's alone; an address may be shared by several. A killed process leaves its socket.
    if (part.socket !== undefined) await rm(part.socket, { force: true });
    await app.listen(
      part.socket === undefined ? { host: settings.host, port } : { path: part.socket, exclusive: true },
    );
    if (settings.demo && roles.has("dashboard")) {
      demo = await startDemo({
        pool,
        files,
        clickhouseUrl: stores.clickhouseUrl,
        exchangeUrl: `http://${callableHost(settings.host)}:${port}`,
        deviceKey,
        seed: settings.demoSeed,
        password: settings.demoPassword,
        hashPassword,
        async postbacksOf(accountId) {
          const keys = { pool, sealer: sealer(secrets) };
          const { uuid, secret } = await accountPostbackKey(keys, accountId);
          return { path: postback.path.replace("{id}", uuid), secret };
        },
        revenueSharePpm: settings.revenueSharePpm,
        log,
        onHistoryProgress: showProgress("history"),
        onHistoryWritten: async () => {
          await jobs.send(ACCRUE_ALL, {});
          await jobs.send(LEARN_FLOORS, {});
        },
      });
    }
  } catch (error) {
    await stop();
    throw listenFailure(error, settings.host, port);
  }
  if (isAnnounced(part)) {
    announce({
      url: publicUrl,
      startMs: performance.now() - startedAt,
      logins: demo?.logins ?? [],
      mailbox: mailbox && demo && mailboxUrl(publicUrl, mailbox),
    });
  }
  return { url: publicUrl, stop };
}

/** Of several processes, the dashboard's is the last to start. */
const isAnnounced = ({ isChild, socket }: Part): boolean => isChild !== true || socket !== undefined;

/** Settings may be wrong together, or for what the process does. Throws StartError. */
async function assertFit(settings: Settings, roles: Roles): Promise<void> {
  assertSharedStores(settings, roles);
  // Who issues no invoices need not load the numbers of ninety countries.
  if (hasJobs(roles)) await assertIssuer(settings.invoices, settings.demo);
}

const hasJobs = (roles: Roles): boolean => roles.has("dashboard") || roles.has("worker");

/** What a setting means that may not be meant. */
function warnOf(
  settings: Settings,
  { roles, publicUrl, mailDir, log }: { roles: Roles; publicUrl: string; mailDir: string; log: Log },
): void {
  if (settings.smtpUrl === undefined && !settings.demo && roles.has("worker")) {
    log.warn({ dir: mailDir }, "SMTP_URL is not set: mails are stored as files and not sent");
  }
  if (publicUrl.startsWith("https:") && settings.trustedProxies === 0) {
    log.warn({}, "PUBLIC_URL is https, but TRUSTED_PROXIES is 0: behind a proxy, cookies are not Secure");
  }
}
