import { CAMPAIGN_PROVIDER, INHOUSE_PROVIDER, LINE_PROVIDER, SDK_VERSION, demoMailbox } from "@millrace/contract";
import { join } from "node:path";
import type { Pool } from "pg";
import { sampleFigures } from "../../demo/src/index.ts";
import { accountsArea, memberNames } from "./areas/accounts/index.ts";
import { adminArea } from "./areas/admin/index.ts";
import { appsArea, sampleAppIds } from "./areas/apps/index.ts";
import { campaignsArea } from "./areas/campaigns/index.ts";
import {
  appPartners,
  connectDemoPartners,
  demandPartnersArea,
  listPartners,
  sealPlainKeys,
  switchPartnerKeys,
} from "./areas/demand-partners/index.ts";
import { COUNTRY_CODES, REGIONS } from "./areas/exchange/index.ts";
import { type clickIds, measurementArea } from "./areas/measurement/index.ts";
import { newsArea } from "./areas/news/index.ts";
import {
  ACCRUE_ALL,
  campaignBalanceOf,
  eraseBilling,
  erasePayee,
  paymentsArea,
  onItsWayTo,
  publisherBalanceOf,
  readCampaignFunds,
} from "./areas/payments/index.ts";
import { siteArea } from "./areas/site/index.ts";
import { readPartnersOnDay, type statisticsArea } from "./areas/statistics/index.ts";
import { supportArea } from "./areas/support/index.ts";
import { webhooksArea } from "./areas/webhooks/index.ts";
import { type DemoMailbox, maySeeMails } from "./demo-mailbox.ts";
import { keepInvoiceNumbers } from "./invoice-numbers.ts";
import { PLACES } from "./places.ts";
import type { Area } from "./platform/area.ts";
import type { ClickHouse } from "./platform/clickhouse/connect-clickhouse.ts";
import type { Clock } from "./platform/clock.ts";
import type { StoredFiles } from "./platform/files/stored-files.ts";
import type { Authenticate } from "./platform/http/caller.ts";
import { findFont } from "./platform/http/web-pages.ts";
import type { Jobs } from "./platform/jobs/index.ts";
import type { Log } from "./platform/log.ts";
import type { Mailer } from "./platform/mail/index.ts";
import { resealing } from "./platform/sealed/reseal.ts";
import { sealer } from "./platform/sealed/sealer.ts";
import type { Settings } from "./platform/settings.ts";
import { SEALED_COLUMNS } from "./sealed-columns.ts";

interface Deps {
  settings: Settings;
  publicUrl: string;
  pool: Pool;
  clickhouse: ClickHouse;
  statistics: Awaited<ReturnType<typeof statisticsArea>>;
  jobs: Jobs;
  mailer: Mailer;
  files: StoredFiles;
  dataDir: string;
  secrets: readonly string[];
  clickIds: ReturnType<typeof clickIds>;
  /** The demo's mails, if they can be read. */
  mailbox: DemoMailbox | undefined;
  /** How much of the demo's history is there; undefined before it starts. */
  demoProgress(): number | undefined;
  clock: Clock;
  log: Log;
}

/** The areas of the dashboard and their jobs. */
export async function dashboardAreas(deps: Deps): Promise<{
  areas: Area[];
  authenticate: Authenticate;
  findApp: ReturnType<typeof appsArea>["findApp"];
  siteState: ReturnType<typeof demandPartnersArea>["siteState"];
  landing: ReturnType<typeof siteArea>["landing"];
}> {
  const { settings, publicUrl, pool, clickhouse, statistics, jobs, mailer, files, secrets, clock, log } = deps;
  const providerNames = async () =>
    new Map([
      ...(await listPartners(pool)).map(({ id, name }) => [id, name] as const),
      [CAMPAIGN_PROVIDER.id, CAMPAIGN_PROVIDER.name],
      [INHOUSE_PROVIDER.id, INHOUSE_PROVIDER.name],
      [LINE_PROVIDER.id, LINE_PROVIDER.name],
    ]);
  const seal = sealer(secrets);
  await sealPlainKeys(pool, seal);
  const fontPath = await findFont(PLACES.web);
  const apps = appsArea({
    pool,
    clock,
    log,
    publicUrl,
    demo: settings.demo,
    statistics,
    jobs,
    filesDir: join(deps.dataDir, "table-files"),
    samples: sampleFigures(settings.revenueSharePpm),
    providerNames,
    memberNames: (accountId, userIds) => memberNames(pool, accountId, userIds),
    partnersOf: (accountId, appId) => appPartners({ pool, sealer: seal }, accountId, appId),
    switchPartner: switchPartnerKeys,
    connectDemoPartners: (client, accountId, appId) => connectDemoPartners(client, seal, accountId, appId),
    siteState: (accountId) => demandPartners.siteState(accountId),
    fontPath,
    sdk: { latest: SDK_VERSION },
  });
  const demandPartners = demandPartnersArea({
    pool,
    clock,
    log,
    sealer: seal,
    demo: settings.demo,
    rateDays: settings.rateDays,
    currencyRates: settings.currencyRates,
    async partnersOnDay(day) {
      // Rows that are on their way count too.
      await statistics.look();
      return readPartnersOnDay(clickhouse.read, { day, samples: await sampleAppIds(pool) });
    },
    publicUrl,
    contactEmail: settings.operator.email,
    findApp: apps.findApp,
    revenueByPartner: apps.revenueByPartner,
  });
  const campaigns = campaignsArea({
    pool,
    clock,
    jobs,
    files,
    demo: settings.demo,
    appLookup: apps.advertised,
    countryCodes: COUNTRY_CODES,
    regions: REGIONS,
    statistics,
    publicUrl,
    figuresOf: statistics.campaigns.figures,
  });
  const measurement = measurementArea({
    pool,
    clock,
    log,
    jobs,
    sealer: seal,
    events: statistics.events,
    clickIds: deps.clickIds,
    publicUrl,
    statistics: statistics.campaigns,
    adNetworkIds: settings.adNetworkIds,
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
    revenueTodayOf: apps.revenueTodayOf,
    publisherBalanceOf: (accountId) => publisherBalanceOf(pool, accountId),
    onItsWayTo: (accountId) => onItsWayTo(pool, accountId),
    campaignBalanceOf: (accountId) => campaignBalanceOf(pool, accountId),
    campaignFundsOf: (accountId) => readCampaignFunds({ pool, clock }, accountId),
    hasApps: apps.hasApps,
    belongingsOf: async (accountId) => ({
      ...(await apps.belongingsOf(accountId)),
      ...(await campaigns.belongingsOf(accountId)),
    }),
    closeAccount: async (client, accountId) => {
      await apps.closeAccount(client, accountId);
      await campaigns.closeAccount(client, accountId);
      await erasePayee(client, accountId);
      await eraseBilling(client, accountId);
    },
    demoStatus: () => ({ running: settings.demo, history_progress: deps.demoProgress() ?? (settings.demo ? 0 : 1) }),
  });
  const admin = adminArea({
    pool,
    clock,
    mailer,
    jobs,
    publicUrl,
    operatorName: settings.operator.name,
    clickhouse: clickhouse.read,
    look: statistics.look,
    backlog: statistics.backlog,
    revenueSharePpm: settings.revenueSharePpm,
    appIdentities: apps.identitiesOf,
    checkBooks: () => jobs.send(ACCRUE_ALL, {}),
    providerNames,
    appsOfAuctions: statistics.appsOfAuctions,
    requestsKeptDays: statistics.keptDays,
  });
  const payments = paymentsArea({
    pool,
    clock,
    log,
    mailer,
    jobs,
    books: statistics.books,
    turns: statistics.turns,
    partnerHours: statistics.partnerHours,
    keptDays: settings.retentionDays.events,
    sealer: seal,
    secrets,
    revenueSharePpm: settings.revenueSharePpm,
    payouts: settings.payouts,
    invoices: settings.invoices,
    keepNumbers: keepInvoiceNumbers(clickhouse.write),
    countryCodes: COUNTRY_CODES,
    tipalti: settings.tipalti,
    demo: settings.demo,
    isComplete: () => !settings.demo || deps.demoProgress() === 1,
    publicUrl,
    fontPath,
    operatorName: settings.operator.name,
    operatorEmail: settings.operator.email,
    operatorAddress: settings.operator.address,
    providerNames,
  });
  const webhooks = webhooksArea({
    pool,
    clock,
    log,
    demo: settings.demo,
    secrets,
    statistics,
    findApp: apps.findApp,
  });
  const support = supportArea({ pool, clock, mailer, jobs, settings, publicUrl });
  const news = newsArea({ pool, clock, mailer, jobs, secrets, publicUrl, operatorName: settings.operator.name });
  const site = siteArea({
    settings,
    pool,
    clickhouse: clickhouse.read,
    statistics,
    publicUrl,
    clock,
    log,
    mailboxFor: async (request) =>
      deps.mailbox ? { path: demoMailbox.path, is_open: await maySeeMails(request, deps.mailbox) } : null,
  });
  const reseal = resealing({ pool, sealer: seal, columns: SEALED_COLUMNS, hasOlderSecrets: secrets.length > 1, log });
  return {
    areas: [
      payments,
      apps,
      demandPartners,
      campaigns,
      measurement,
      webhooks,
      accounts,
      admin,
      support,
      news,
      site,
      reseal,
    ],
    authenticate: accounts.authenticate,
    findApp: apps.findApp,
    siteState: demandPartners.siteState,
    landing: site.landing,
  };
}
