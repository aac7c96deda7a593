import type { Session } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Jobs } from "../../platform/jobs/index.ts";
import type { Throttle } from "../../platform/http/throttle.ts";
import type { Log } from "../../platform/log.ts";
import type { Mailer } from "../../platform/mail/index.ts";
import type { Sealer } from "../../platform/sealed/sealer.ts";
import type { Settings } from "../../platform/settings.ts";
import type { CodeThrottle } from "./authenticator/code-throttle.ts";
import type { SignInThrottle } from "./sign-in/sign-in-throttle.ts";
import type { FailureCount } from "./sign-in/tell-failures.ts";
import type { TicketThrottle } from "./tickets/ticket-throttle.ts";

export interface AccountsDeps {
  pool: Pool;
  clock: Clock;
  log: Log;
  mailer: Mailer;
  jobs: Jobs;
  sealer: Sealer;
  /** The configured origin; every link in a mail begins with it, whatever a request says of its host. */
  publicUrl: string;
  settings: Pick<Settings, "operator" | "social" | "intercom" | "smtpUrl">;
  /** What an account's apps have earned; the apps area knows it. */
  earningsOf(accountId: number): Promise<{ balanceMicros: number; revenueTodayMicros: number }>;
  /** What an advertiser can still spend; the ledger knows it. */
  campaignBalanceOf(accountId: number): Promise<number>;
  /** Whether the account ever had an app of its own. */
  hasApps(accountId: number): Promise<boolean>;
  /** What other areas keep that tells of the account: told with an export of personal data. */
  belongingsOf(accountId: number): Promise<Record<string, unknown>>;
  /** What other areas must end when an account is deleted, inside of its transaction. */
  closeAccount(client: PoolClient, accountId: number): Promise<void>;
  demoStatus(): Session["demo"];
}

/** What the area's rules work with: the above, and the counts of tries that all auth forms share. */
export interface Accounts extends AccountsDeps {
  signInThrottle: SignInThrottle;
  codeThrottle: CodeThrottle;
  failures: FailureCount;
  ticketThrottle: TicketThrottle;
  generatedPasswordThrottle: Throttle;
  toldThrottle: Throttle;
}
