import { type Query, type Reply, TEXTS, type creativeQueue } from "@millrace/contract";
import { Problem } from "../../platform/http/problem.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import { decideCreative, reviewedCreatives } from "../campaigns/index.ts";
import type { Admin } from "./deps.ts";

const STATES = { approve: "approved", block: "blocked" } as const;

/** Creatives that wait for a decision, or have one. */
export async function listCreatives(
  { pool }: Pick<Admin, "pool">,
  query: Query<typeof creativeQueue>,
): Promise<Reply<typeof creativeQueue>> {
  const { rows, pager } = await reviewedCreatives(pool, query);
  return { creatives: rows, pager };
}

/**
 * Approves or blocks a creative, whatever the earlier decision, and mails the campaign's owner if that changes. Problem `invalid` for a
 * block without a reason, `not_found`, and `conflict` if this is already the decision, if the owner has edited the
 * creative since `waitingSince`, or if its last decision is not that of `decidedAt`.
 */
export async function moderateCreative(
  { pool, clock, tellOwner }: Pick<Admin, "pool" | "clock" | "tellOwner">,
  by: By,
  input: {
    uuid: string;
    decision: keyof typeof STATES;
    reason: string;
    categories: readonly string[];
    forChildren: boolean;
    waitingSince: string | undefined;
    decidedAt: string | null | undefined;
  },
): Promise<void> {
  const { uuid, decision, reason, categories, forChildren, waitingSince, decidedAt } = input;
  if (decision === "block" && reason === "") throw new Problem("invalid", { reason: TEXTS.required });
  const state = STATES[decision];
  await inTransaction(pool, async (client) => {
    const at = new Date(clock.now());
    const { id, accountId, before } = await decideCreative(client, {
      uuid,
      state,
      reason,
      categories,
      forChildren,
      waitingSince,
      decidedAt,
      at,
    });
    const action = `creative_${state}` as const;
    const found = decision === "approve" ? { categories, for_children: forChildren } : {};
    const details = { before, reason, ...found };
    await recordAct({ pool: client, clock }, by, { action, subject: uuid, accountId, details });
    if (before !== state) await tellOwner(client, { what: action, accountId, creativeId: id });
  });
}
