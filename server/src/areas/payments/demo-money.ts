import { randomUUID } from "node:crypto";
import { DEMO_MONEY } from "@millrace/contract";
import { formatMoney } from "@millrace/units";
import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/http/problem.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import { campaignBalanceOf } from "./balances.ts";
import { refillCampaignBalance } from "./refill.ts";

export interface DemoMoneyDeps {
  pool: Pool;
  clock: Clock;
  demo: boolean;
}

/**
 * Fills the caller's campaign balance up to `DEMO_MONEY`, and returns it. Problem `unprocessable` outside demo mode,
 * `conflict` if there is nothing to fill up.
 */
export function addDemoMoney({ pool, clock, demo }: DemoMoneyDeps, by: By): Promise<number> {
  if (!demo) throw new Problem("unprocessable", "This platform has no demo money");
  const { accountId, userId } = by.caller;
  return inTransaction(pool, async (client) => {
    // Of two clicks at once, the second one finds the balance full.
    await client.query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
    const amountMicros = DEMO_MONEY - (await campaignBalanceOf(client, accountId));
    if (amountMicros <= 0) throw new Problem("conflict", `The balance already has ${formatMoney(DEMO_MONEY)} or more`);
    const key = randomUUID();
    const { balanceMicros } = await refillCampaignBalance(client, {
      key,
      accountId,
      amountMicros,
      reason: "Demo money",
      actorUserId: userId,
      at: new Date(clock.now()),
    });
    await recordAct({ pool: client, clock }, by, { action: "demo_money_added", details: { amountMicros, key } });
    return balanceMicros;
  });
}
