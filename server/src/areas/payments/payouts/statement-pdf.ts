import type { Pool } from "pg";
import { letterPdf } from "../../../platform/pdf/draw-letter.ts";
import { readStatement } from "./read-statement.ts";
import { type StatementSender, statementLetter } from "./statement-letter.ts";

export interface StatementDeps extends StatementSender {
  pool: Pool;
  /** Labels of the providers by id. */
  providerNames(): Promise<ReadonlyMap<string, string>>;
}

/**
 * The statement of a payment that was sent, as PDF. Problem `not_found` for an unknown payout or one of another account, `conflict`
 * for one that was not paid.
 */
export async function statementPdf(
  deps: StatementDeps,
  key: { payoutId: string; accountId?: number },
): Promise<{ name: string; content: Buffer }> {
  const statement = await readStatement(deps.pool, key);
  const names = await deps.providerNames();
  const letter = statementLetter(statement, deps, (provider) => names.get(provider) ?? provider);
  return { name: `Payout-statement-${statement.month}.pdf`, content: await letterPdf(letter) };
}
