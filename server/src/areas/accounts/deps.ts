import type { CampaignFunds, Session } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Jobs } from "../../platform/jobs/index.ts";
import type { Counter, Throttle } from "../../platform/http/throttle.ts";
import type { Log } from "../../platform/log.ts";
import type { Mailer } from "../../platform/mail/index.ts";
import type { Sealer } from "../../platform/sealed/sealer.ts";
import type { Settings } from "../../platform/settings.ts";
import type { CodeThrottle } from "./authenticator/code-throttle.ts";
import type { SignInThrottle } from "./sign-in/sign-in-throttle.ts";
import type { TicketThrottle } from "./tickets/ticket-throttle.ts";

export interface AccountsDeps {
  pool: Pool;
  clock: Clock;
  log: Log;
  mailer: Mailer;
  jobs: Jobs;
  sealer: Sealer;
  /** The configured origin. Links in mails begin with it, whatever the request's Host header. */
  publicUrl: string;
  settings: Pick<Settings, "operator" | "social" | "intercom" | "smtpUrl">;
  /** The earnings of an account's apps, provided by the apps area. */
  revenueTodayOf(accountId: number): Promise<number>;
  publisherBalanceOf(accountId: number): Promise<number>;
  /** What is on its way to the account, provided by the ledger. */
  onItsWayTo(accountId: number): Promise<number>;
  /** An advertiser's remaining balance, provided by the ledger. */
  campaignBalanceOf(accountId: number): Promise<number>;
  /** How long that balance lasts, provided by the ledger. */
  campaignFundsOf(accountId: number): Promise<CampaignFunds>;
  /** Whether the account ever had an app. */
  hasApps(accountId: number): Promise<boolean>;
  /** Other areas' data about the account, for an export of personal data. */
  belongingsOf(accountId: number): Promise<Record<string, unknown>>;
  /** Ends the account in other areas, inside the transaction that deletes it. */
  closeAccount(client: PoolClient, accountId: number): Promise<void>;
  demoStatus(): Session["demo"];
}

/** The dependencies of the area's rules, with the rate limits that all auth forms share. */
export interface Accounts extends AccountsDeps {
  signInThrottle: SignInThrottle;
  codeThrottle: CodeThrottle;
  /** Failed sign-ins by kind and user. */
  failures: Counter;
  ticketThrottle: TicketThrottle;
  generatedPasswordThrottle: Throttle;
  noticeThrottle: Throttle;
}
