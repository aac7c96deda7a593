import { CAMPAIGN_PROVIDER, INHOUSE_PROVIDER, SDK_VERSION, demoMailbox } from "@millrace/contract";
import { join } from "node:path";
import { Registry } from "prom-client";
import { type Demo, sampleFigures, startDemo, withVisitorCountry } from "../../demo/src/index.ts";
import { buildApp } from "./app.ts";
import { accountsArea, hashPassword, memberNames } from "./areas/accounts/index.ts";
import { adminArea } from "./areas/admin/index.ts";
import { appsArea } from "./areas/apps/index.ts";
import { budgetsArea } from "./areas/budgets/index.ts";
import { campaignsArea } from "./areas/campaigns/index.ts";
import {
  appPartners,
  connectDemoPartners,
  demandPartnersArea,
  keyReader,
  listPartners,
  sealPlainKeys,
  switchPartnerKeys,
} from "./areas/demand-partners/index.ts";
import { COUNTRY_CODES, addressRate, exchangeArea, openGeo } from "./areas/exchange/index.ts";
import { clickIds as clickIdsOf, measurementArea } from "./areas/measurement/index.ts";
import { newsArea } from "./areas/news/index.ts";
import { campaignBalanceOf, paymentsArea } from "./areas/payments/index.ts";
import { siteArea } from "./areas/site/index.ts";
import { statisticsArea } from "./areas/statistics/index.ts";
import { CHAT_SOURCES, supportArea } from "./areas/support/index.ts";
import { mailboxUrl, maySeeMails } from "./demo-mailbox.ts";
import { demoArea } from "./demo-routes.ts";
import { callableHost, choosePort, listenFailure } from "./listen-address.ts";
import { findFont } from "./platform/http/web-pages.ts";
import { createLog } from "./logger.ts";
import { PLACES } from "./places.ts";
import { systemClock } from "./platform/clock.ts";
import { openDataDir } from "./platform/data-dir.ts";
import { filesOnDisk } from "./platform/files/stored-files.ts";
import { assertDiskSpace } from "./platform/disk-space.ts";
import { openJobs } from "./platform/jobs/index.ts";
import { openMailer } from "./platform/mail/index.ts";
import { sealer } from "./platform/sealed/sealer.ts";
import { loadSecrets } from "./platform/secrets/load-secrets.ts";
import { newToken } from "./platform/secrets/token.ts";
import type { Settings } from "./platform/settings.ts";
import { startStores } from "./start-stores.ts";
import { announce, showProgress } from "./terminal.ts";

export interface Platform {
  url: string;
  /** Refuses new requests, completes running ones, ships the counted events, and ends the children. */
  stop(): Promise<void>;
}

/** Starts everything in this process, with its stores as children. Throws StartError with an actionable message. */
export async function startPlatform(settings: Settings): Promise<Platform> {
  const startedAt = performance.now();
  const log = createLog(settings.logLevel);
  const clock = systemClock;
  const port = await choosePort(settings);
  const dataDir = await openDataDir(settings.dataDir);
  const stores = await startStores(settings, dataDir.path, PLACES.migrations, log);
  const { pool } = stores.postgres;
  const secrets = await loadSecrets(dataDir.path, settings.secret);
  const mailDir = join(dataDir.path, "mail");
  const mailer = await openMailer({ smtpUrl: settings.smtpUrl, from: settings.mailFrom, dir: mailDir, log, clock });
  if (settings.smtpUrl === undefined && !settings.demo) {
    log.warn({ dir: mailDir }, "SMTP_URL is not set: mails are stored as files and not sent");
  }
  const jobs = openJobs({ pool, log });
  const publicUrl = settings.publicUrl ?? `http://${callableHost(settings.host)}:${port}`;
  if (publicUrl.startsWith("https:") && settings.trustedProxies === 0) {
    log.warn({}, "PUBLIC_URL is https, but TRUSTED_PROXIES is 0: behind a proxy, cookies are not Secure");
  }
  let demo: Demo | undefined;

  const statistics = await statisticsArea({
    clickhouse: stores.clickhouse,
    journalDir: join(dataDir.path, "journal"),
    clock,
    log,
    retentionDays: settings.retentionDays,
  });
  const providerNames = async () =>
    new Map([
      ...(await listPartners(pool)).map(({ id, name }) => [id, name] as const),
      [CAMPAIGN_PROVIDER.id, CAMPAIGN_PROVIDER.name],
      [INHOUSE_PROVIDER.id, INHOUSE_PROVIDER.name],
    ]);
  const sdk = { latest: SDK_VERSION };
  const seal = sealer(secrets);
  await sealPlainKeys(pool, seal);
  const apps = appsArea({
    pool,
    clock,
    log,
    publicUrl,
    demo: settings.demo,
    statistics,
    jobs,
    filesDir: join(dataDir.path, "table-files"),
    samples: sampleFigures(settings.revenueSharePpm),
    providerNames,
    memberNames: (accountId, userIds) => memberNames(pool, accountId, userIds),
    partnersOf: (accountId, appId) => appPartners({ pool, sealer: seal }, accountId, appId),
    switchPartner: switchPartnerKeys,
    connectDemoPartners: (client, accountId, appId) => connectDemoPartners(client, seal, accountId, appId),
    siteState: (accountId) => demandPartners.siteState(accountId),
    fontPath: await findFont(PLACES.web),
    sdk,
  });
  const demandPartners = demandPartnersArea({
    pool,
    clock,
    log,
    sealer: seal,
    publicUrl,
    contactEmail: settings.operator.email,
    findApp: apps.findApp,
    revenueByPartner: apps.revenueByPartner,
  });
  const budgets = budgetsArea({ postgresUrl: stores.postgresUrl, clock, log });
  const files = filesOnDisk(join(dataDir.path, "files"));
  const campaigns = campaignsArea({
    pool,
    clock,
    jobs,
    files,
    demo: settings.demo,
    appLookup: apps.advertised,
    countryCodes: COUNTRY_CODES,
    statistics,
    publicUrl,
    figuresOf: statistics.campaigns.figures,
  });
  const clickIds = clickIdsOf(secrets);
  const measurement = measurementArea({
    pool,
    clock,
    log,
    jobs,
    sealer: seal,
    events: statistics.events,
    clickIds,
    publicUrl,
  });
  const accounts = accountsArea({
    pool,
    clock,
    log,
    mailer,
    jobs,
    sealer: seal,
    publicUrl,
    settings,
    earningsOf: apps.earningsOf,
    campaignBalanceOf: (accountId) => campaignBalanceOf(pool, accountId),
    hasApps: apps.hasApps,
    belongingsOf: async (accountId) => ({
      ...(await apps.belongingsOf(accountId)),
      ...(await campaigns.belongingsOf(accountId)),
    }),
    closeAccount: async (client, accountId) => {
      await apps.closeAccount(client, accountId);
      await campaigns.closeAccount(client, accountId);
    },
    demoStatus: () => ({ running: settings.demo, history_progress: demo?.progress() ?? (settings.demo ? 0 : 1) }),
  });
  const metrics = new Registry();
  const admin = adminArea({
    pool,
    clock,
    mailer,
    jobs,
    publicUrl,
    operatorName: settings.operator.name,
    clickhouse: stores.clickhouse.read,
    look: statistics.look,
    backlog: statistics.backlog,
    metrics,
    revenueSharePpm: settings.revenueSharePpm,
    appIdentities: apps.identitiesOf,
  });
  const demoMails = settings.demo && settings.smtpUrl === undefined ? { dir: mailDir, key: newToken() } : undefined;
  const payments = paymentsArea({ pool, clock, mailer, jobs, publicUrl, operatorName: settings.operator.name });
  const support = supportArea({ pool, clock, mailer, jobs, settings, publicUrl });
  const news = newsArea({ pool, clock, mailer, jobs, secrets, publicUrl, operatorName: settings.operator.name });
  const site = siteArea({
    settings,
    mailboxFor: async (request) =>
      demoMails ? { path: demoMailbox.path, is_open: await maySeeMails(request, demoMails) } : null,
  });
  const geo = await openGeo();
  const exchange = await exchangeArea({
    pool,
    partnerKeys: keyReader(seal, log),
    findApp: apps.findApp,
    clickhouse: stores.clickhouse.read,
    look: statistics.look,
    turns: statistics.turns,
    events: statistics.events,
    recentEventIds: statistics.recentEventIds,
    noticesDir: join(dataDir.path, "notices"),
    clock,
    log,
    geo: settings.demo ? withVisitorCountry(geo) : geo,
    metrics,
    secrets,
    settings: { ...settings, publicUrl },
    limits: { ...settings.intake, address: addressRate(settings.intake.impsPerSecond) },
    campaigns: { budgets, statistics, clickIds },
  });
  const deviceKey = newToken();
  const demoPages = settings.demo ? [demoArea({ pool, mailbox: demoMails, deviceKey })] : [];
  // The demo starts first: it sets its devices' addresses before the exchange reads them.
  const areas = [
    ...demoPages,
    statistics,
    payments,
    budgets,
    apps,
    demandPartners,
    campaigns,
    measurement,
    exchange,
    accounts,
    admin,
    support,
    news,
    site,
  ];

  const app = await buildApp({
    areas,
    files,
    authenticate: accounts.authenticate,
    checks: { ...stores.checks, disk_space: () => assertDiskSpace(dataDir.path) },
    metrics,
    publicUrl,
    trustedProxies: settings.trustedProxies,
    callsPerMinute: settings.callsPerMinute,
    metricsToken: settings.metricsToken,
    demo: settings.demo,
    pageSources: settings.intercom === undefined ? {} : CHAT_SOURCES,
    log,
  });

  async function stop(): Promise<void> {
    await demo?.stop();
    await app.close();
    await jobs.stop();
    // In reverse: when an area stops, the areas it depends on still run.
    for (const area of areas.toReversed()) await area.stop?.();
    await mailer.close();
    await stores.stop();
    await dataDir.release();
  }

  try {
    for (const area of areas) await area.start?.();
    await jobs.start();
    await app.listen({ host: settings.host, port });
    if (settings.demo) {
      demo = await startDemo({
        pool,
        files,
        clickhouseUrl: stores.clickhouseUrl,
        exchangeUrl: `http://${callableHost(settings.host)}:${port}`,
        deviceKey,
        seed: settings.demoSeed,
        password: settings.demoPassword,
        hashPassword,
        revenueSharePpm: settings.revenueSharePpm,
        log,
        onHistoryProgress: showProgress("history"),
      });
    }
  } catch (error) {
    await stop();
    throw listenFailure(error, settings.host, port);
  }
  announce({
    url: publicUrl,
    startMs: performance.now() - startedAt,
    logins: demo?.logins ?? [],
    mailbox: demoMails && mailboxUrl(publicUrl, demoMails),
  });
  return { url: publicUrl, stop };
}
