import { addDays, dayOf } from "@millrace/units";
import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { invoiceAmounts } from "./amounts.ts";
import { type DueDocument, type Source, readDue, rulingOn } from "./due-documents.ts";
import type { Issuer } from "./issuer.ts";
import { type NewDocument, storeDocument } from "./store-document.ts";

export interface IssueDeps {
  pool: Pool;
  clock: Clock;
  /** The past of a demo is invoiced on its own days. */
  demo: boolean;
  /** In the document's transaction: queues its mail. */
  onIssued(client: PoolClient, document: { id: string; issuedAt: Date }): Promise<void>;
}

/**
 * Issues every document that is due and not refused by a rule, oldest first, each in a transaction of its own. It may run at any time, any
 * number of times and in several processes: a refill or payout has one document that holds. Resolves with the number of new ones.
 */
export async function issueDue(deps: IssueDeps, issuer: Issuer): Promise<number> {
  let issued = 0;
  for (const due of await readDue(deps.pool, issuer.from, { withDetails: true })) {
    if ("block" in rulingOn(due, issuer)) continue;
    if ((await inTransaction(deps.pool, (client) => issueDocument(deps, client, issuer, due))) !== null) issued++;
  }
  return issued;
}

/**
 * Issues the document of a refill or a payout in the client's transaction, from the billing details of the moment. Resolves with its
 * number, or null if it has one that holds or cannot have one.
 */
export async function issueDocument(
  deps: Omit<IssueDeps, "pool">,
  client: PoolClient,
  issuer: Issuer,
  { source, accountId }: { source: Source; accountId: number },
): Promise<string | null> {
  // In this order, as payouts are settled: the payout, the account, and last the number, for which all others wait.
  if (source.payoutId !== null) await client.query("SELECT FROM payouts WHERE id = $1 FOR UPDATE", [source.payoutId]);
  await client.query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
  const [due] = await readDue(client, issuer.from, { source });
  const vat = due && rulingOn(due, issuer);
  if (!due?.party || !vat || "block" in vat) return null;
  const issuedAt = deps.demo ? due.at : new Date(deps.clock.now());
  const { id, number } = await storeDocument(client, issuer.prefix, {
    ...(await contentOf(client, due, vat)),
    series: due.kind,
    issuedAt,
    dueOn: due.kind === "invoice" ? addDays(dayOf(issuedAt.getTime()), issuer.dueDays) : null,
    platform: issuer.party,
    party: due.party,
  });
  await deps.onIssued(client, { id, issuedAt });
  return number;
}

async function contentOf(
  client: PoolClient,
  { kind, accountId, day, source, amountMicros }: DueDocument,
  vat: { treatment: NewDocument["treatment"]; country: string; rateBasisPoints: number },
): Promise<Omit<NewDocument, "series" | "issuedAt" | "dueOn" | "platform" | "party">> {
  const { rows } = await client.query<{ edition: number }>(
    "SELECT count(*)::integer + 1 AS edition FROM invoices WHERE posting_id = $1 OR payout_id = $2",
    [source.postingId, source.payoutId],
  );
  const carriedInMicros = await carriedBy(client, accountId, kind);
  return {
    kind,
    accountId,
    suppliedOn: day,
    ...source,
    credits: null,
    edition: rows[0]?.edition ?? 1,
    reason: "",
    amountMicros,
    ...invoiceAmounts(amountMicros, carriedInMicros, vat.rateBasisPoints),
    treatment: vat.treatment,
    vatCountry: vat.country,
    rateBasisPoints: vat.rateBasisPoints,
  };
}

/** What the documents of an account have left over until now, less than a cent, in micro-dollars. */
export async function carriedBy(client: PoolClient, accountId: number, kind: DueDocument["kind"]): Promise<bigint> {
  const { rows } = await client.query<{ micros: string }>(
    "SELECT coalesce(sum(amount_micros - net_cents * 10000), 0) AS micros FROM invoices WHERE account_id = $1 AND kind = $2",
    [accountId, kind],
  );
  return BigInt(rows[0]?.micros ?? 0);
}
