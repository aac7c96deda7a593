import type { FastifyInstance } from "fastify";
import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { Sealer } from "../../../platform/sealed/sealer.ts";
import type { TipaltiSettings } from "../../../platform/settings.ts";
import type { BalanceAlertDeps } from "../balance-alerts.ts";
import { byHandMails } from "./by-hand-mails.ts";
import { payDemoPast, registerDemoPayees } from "./demo-past.ts";
import { frameTickets } from "./frame-tickets.ts";
import { IN_FLIGHT_MS } from "./order-payouts.ts";
import { payoutMails } from "./payout-mails.ts";
import type { PayoutProvider } from "./provider.ts";
import type { PayoutTerms } from "./read-payouts.ts";
import type { StatementDeps } from "./statement-pdf.ts";
import { type RouteDeps, payoutRoutes } from "./routes.ts";
import { followPayouts, runPayouts } from "./run-payouts.ts";
import { sandboxProvider } from "./sandbox-provider.ts";
import { tipaltiHosts } from "./tipalti-calls.ts";
import { tipaltiProvider } from "./tipalti-provider.ts";

interface PayoutsDeps extends BalanceAlertDeps, StatementDeps {
  pool: Pool;
  clock: Clock;
  log: Log;
  sealer: Sealer;
  secrets: readonly string[];
  payouts: Omit<PayoutTerms, "demo">;
  /** Absent if the built-in provider pays. */
  tipalti: TipaltiSettings | undefined;
  demo: boolean;
  /** The path of the dashboard's font; null if the dashboard is not built. */
  fontPath: string | null;
}

interface Payouts {
  provider: PayoutProvider;
  run(): Promise<void>;
  follow(): Promise<void>;
  payPast(): Promise<void>;
  routes(app: FastifyInstance): void;
}

/** A payment of the demo takes as long as a cup of tea. */
const DEMO_PAYS_AFTER_MS = 5 * 60_000;

/** Payouts of publishers, by Tipalti if it is set up, or else by the built-in provider. */
export function openPayouts(deps: PayoutsDeps): Payouts {
  const { pool, clock, log, sealer, secrets, publicUrl, demo } = deps;
  const mails = payoutMails(deps);
  const tellAdmins = byHandMails(deps);
  const tickets = frameTickets(secrets, clock);
  const at = (now: Clock, sendsMails: boolean): RouteDeps => {
    const sandbox = { pool, clock: now, sealer, tickets, publicUrl, paysAfterMs: demo ? DEMO_PAYS_AFTER_MS : null };
    const tipalti = deps.tipalti && { ...deps.tipalti, hosts: tipaltiHosts(deps.tipalti), clock: now };
    return {
      pool,
      clock: now,
      log,
      fontPath: deps.fontPath,
      terms: { ...deps.payouts, demo },
      provider: tipalti ? tipaltiProvider({ ...tipalti, pool, log }) : sandboxProvider(sandbox),
      sandbox,
      tipalti,
      statements: deps,
      onClaimed: async (client, payoutId) => {
        if (sendsMails) await mails.about(client, { payoutId, what: "ordered" });
      },
      onPaid: async (client, payoutId) => {
        if (sendsMails) await mails.about(client, { payoutId, what: "paid" });
      },
      onRejected: async (client, payoutId) => {
        if (sendsMails) await mails.about(client, { payoutId, what: "rejected" });
      },
      onMethodChanged: async (client, changed) => {
        if (sendsMails) await mails.aboutMethod(client, changed);
      },
    };
  };
  const now = at(clock, true);
  return {
    provider: now.provider,
    async run() {
      await runPayouts(now);
      if (!demo) await tellAdmins(0);
    },
    async follow() {
      await followPayouts(now);
      // A run tells of its payouts in one mail: these were held back when it ended, or it was killed.
      if (!demo) await tellAdmins(IN_FLIGHT_MS);
    },
    async payPast() {
      const quiet = at(clock, false);
      await registerDemoPayees(quiet, quiet.sandbox);
      await payDemoPast(quiet, (past) => at(past, false));
    },
    routes: (app) => payoutRoutes(app, now),
  };
}
