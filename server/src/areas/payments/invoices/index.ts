import * as contract from "@millrace/contract";
import { DAY_MS } from "@millrace/units";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { Problem } from "../../../platform/http/problem.ts";
import { serve } from "../../../platform/http/serve.ts";
import type { InvoiceSettings } from "../../../platform/invoice-settings.ts";
import { attached } from "../../apps/index.ts";
import type { BalanceAlertDeps } from "../balance-alerts.ts";
import { type BillingDeps, readBilling, saveBilling } from "./billing.ts";
import { creditByHand, creditReturned } from "./credit-document.ts";
import { demoIssuer, enterDemoBilling } from "./demo-billing.ts";
import { eraseServed } from "./erase-billing.ts";
import { invoiceMails } from "./invoice-mails.ts";
import { type IssueDeps, issueDue } from "./issue-documents.ts";
import { issuerOf } from "./issuer.ts";
import { invoicesCsvOf, listAllInvoices, listInvoices, totalsOf } from "./list-invoices.ts";
import { documentPdf, readDocument } from "./read-documents.ts";

export interface InvoicesDeps extends BalanceAlertDeps, Pick<BillingDeps, "countryCodes"> {
  invoices: InvoiceSettings;
  demo: boolean;
  /** Keeps the last number of each series outside PostgreSQL, which may be restored from an older copy. */
  keepNumbers(numbers: readonly { series: string; year: number; last: number }[]): Promise<void>;
}

const ISSUE = "issue-invoices";
const EVERY_SECONDS = 120;
/** Documents of a demo's past are not news. */
const NEWS_MS = DAY_MS;

/** Invoices of refills, self-billed ones of payouts, and the credit notes that cancel them. */
export function openInvoices(deps: InvoicesDeps) {
  const { pool, clock, jobs, demo } = deps;
  const settings = demo ? demoIssuer(deps.invoices) : deps.invoices;
  const issuing = () => issuerOf(settings);
  let kept = "[]";
  const keepNumbers = async () => {
    const { rows } = await pool.query<{ series: string; year: number; last: number }>(
      "SELECT series, year, last FROM invoice_numbers ORDER BY series, year",
    );
    if (JSON.stringify(rows) === kept) return;
    await deps.keepNumbers(rows);
    kept = JSON.stringify(rows);
  };
  // What a customer has been told must not be told to another.
  const mail = invoiceMails({ ...deps, beforeMail: keepNumbers });
  const issue: IssueDeps = {
    pool,
    clock,
    demo,
    async onIssued(client, { id, issuedAt }) {
      if (issuedAt.getTime() > clock.now() - NEWS_MS) await mail(client, id);
    },
  };
  const run = async () => {
    const found = await issuing();
    if ("missing" in found) {
      // A setting that is wrong for a while costs nobody an invoice.
      if (settings.from === undefined) await eraseServed(pool, null);
      return;
    }
    if (demo) await enterDemoBilling(pool, new Date(clock.now()), found.issuer.from);
    await creditReturned(issue, found.issuer);
    await issueDue(issue, found.issuer);
    await eraseServed(pool, found.issuer);
    await keepNumbers();
  };
  jobs.define(ISSUE, z.object({}), run);
  jobs.repeat(ISSUE, {}, EVERY_SECONDS);
  const billing: BillingDeps = {
    ...deps,
    async issuer() {
      const found = await issuing();
      return "missing" in found ? null : found.issuer;
    },
  };
  return {
    run,
    routes(app: FastifyInstance): void {
      serve(app, contract.billing, ({ caller }) => readBilling(billing, caller.accountId));
      serve(app, contract.editBilling, ({ body, ...by }) => saveBilling(billing, by, body));
      serve(app, contract.invoices, ({ caller, query }) => listInvoices(pool, caller.accountId, query.p));
      serve(app, contract.invoicePdf, async ({ caller: { accountId }, params, reply }) => {
        const { name, content } = await documentPdf(deps, { uuid: params.id, accountId });
        return attached(reply, name).send(content);
      });
      serve(app, contract.adminInvoices, async ({ query }) => listAllInvoices(pool, await issuing(), query));
      serve(app, contract.adminInvoicePdf, async ({ params, reply }) => {
        const { name, content } = await documentPdf(deps, { uuid: params.id });
        return attached(reply, name).send(content);
      });
      serve(app, contract.invoiceTotals, ({ query }) => totalsOf(pool, query.month));
      serve(app, contract.invoicesCsv, async ({ query: { month }, reply }) =>
        attached(reply, `Invoices-${month}.csv`).send(await invoicesCsvOf(pool, month)),
      );
      serve(app, contract.creditInvoice, async ({ params, body, ...by }) => {
        await readDocument(pool, { uuid: params.id });
        const issuer = await billing.issuer();
        if (issuer === null) throw new Problem("conflict", "Settings are missing: no document can be issued");
        return creditByHand(issue, by, issuer, { uuid: params.id, reason: body.reason });
      });
    },
  };
}
