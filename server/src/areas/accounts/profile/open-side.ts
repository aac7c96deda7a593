import type { Side } from "@millrace/contract";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import type { Accounts } from "../deps.ts";

const COLUMNS = { apps: "can_apps", campaign: "can_campaign" } as const satisfies Record<Side, string>;

/** Opens the other side of the product for the account. Problem `conflict` if it is open already. */
export async function openSide({ pool, clock }: Accounts, by: By, side: Side): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE accounts SET ${COLUMNS[side]} = true WHERE id = $1 AND NOT ${COLUMNS[side]} AND deleted_at IS NULL`,
      [by.caller.accountId],
    );
    if (rowCount !== 1) throw new Problem("conflict", "Your account has this side already");
    await recordAct({ pool: client, clock }, by, { action: "side_opened", details: { side } });
  });
}
