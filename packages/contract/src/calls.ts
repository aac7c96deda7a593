import * as accounts from "./accounts.ts";
import * as admin from "./admin.ts";
import * as annotations from "./annotations.ts";
import * as appAds from "./app-ads.ts";
import * as appEditing from "./app-editing.ts";
import * as appSettings from "./app-settings.ts";
import * as apps from "./apps.ts";
import * as auctions from "./auctions.ts";
import * as authenticator from "./authenticator.ts";
import * as beacons from "./beacons.ts";
import * as changes from "./changes.ts";
import * as campaignFirstSteps from "./campaign-first-steps.ts";
import * as campaignModeration from "./campaign-moderation.ts";
import * as campaignSpending from "./campaign-spending.ts";
import * as campaignStatistics from "./campaign-statistics.ts";
import * as campaigns from "./campaigns.ts";
import * as books from "./books.ts";
import * as currencyRates from "./currency-rates.ts";
import * as debugging from "./debugger.ts";
import * as deductions from "./deductions.ts";
import type { Call } from "./define-call.ts";
import * as demandPartners from "./demand-partners.ts";
import * as demo from "./demo.ts";
import * as exchange from "./exchange.ts";
import * as standardCalls from "./standard-calls.ts";
import * as impressions from "./impressions.ts";
import * as financeReport from "./finance-report.ts";
import * as firstSteps from "./first-steps.ts";
import * as inhouse from "./inhouse.ts";
import * as invoices from "./invoices.ts";
import * as killSwitches from "./kill-switches.ts";
import * as lineItems from "./line-items.ts";
import * as measurement from "./measurement.ts";
import * as mediation from "./mediation.ts";
import * as news from "./news.ts";
import * as partnerPrivacy from "./partner-privacy.ts";
import * as partners from "./partners.ts";
import * as payments from "./payments.ts";
import * as payouts from "./payouts.ts";
import * as people from "./people.ts";
import * as profile from "./profile.ts";
import * as publisherStatistics from "./publisher-statistics.ts";
import * as revenueShares from "./revenue-shares.ts";
import * as revenue from "./revenue.ts";
import * as rewards from "./rewards.ts";
import * as session from "./session.ts";
import * as site from "./site.ts";
import * as social from "./social.ts";
import * as statisticsFiles from "./statistics-files.ts";
import * as statements from "./statements.ts";
import * as statistics from "./statistics.ts";
import * as support from "./support.ts";
import * as testAd from "./test-ad.ts";
import * as tickets from "./tickets.ts";
import * as webhooks from "./webhooks.ts";

/** Whether an export of a contract file is a call. */
export const isCall = (value: unknown): value is Call =>
  typeof value === "object" && value !== null && "method" in value && "path" in value && "access" in value;

/**
 * Every call of the platform, by area. The API documentation lists exactly these, and the server serves exactly these.
 */
export const CALLS: Record<string, Call[]> = Object.fromEntries(
  Object.entries({
    accounts: { ...session, ...accounts, ...tickets, ...social, ...authenticator, ...profile, ...people },
    apps: {
      ...apps,
      ...appEditing,
      ...appSettings,
      ...mediation,
      ...lineItems,
      ...appAds,
      ...firstSteps,
      ...rewards,
      ...webhooks,
    },
    "demand-partners": { ...demandPartners, ...partners, ...currencyRates, ...killSwitches, ...partnerPrivacy },
    statistics: { ...statistics, ...changes, ...annotations, ...publisherStatistics, ...statisticsFiles },
    exchange: { ...exchange, ...standardCalls, ...beacons, ...auctions, ...impressions, ...testAd, ...debugging },
    campaigns: {
      ...campaigns,
      ...campaignFirstSteps,
      ...campaignModeration,
      ...campaignStatistics,
      ...campaignSpending,
      ...measurement,
      ...inhouse,
    },
    admin: { ...admin, ...books },
    payments: {
      ...payments,
      ...payouts,
      ...financeReport,
      ...deductions,
      ...invoices,
      ...revenueShares,
      ...statements,
      ...revenue,
    },
    news,
    site,
    support,
    demo,
  }).map(([area, exported]) => [area, Object.values(exported).filter(isCall)]),
);
