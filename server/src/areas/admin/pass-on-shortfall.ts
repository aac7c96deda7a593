import type { Body, Reply, passOnShortfall as call } from "@millrace/contract";
import type { By } from "../audit/index.ts";
import { shortfallToPassOn } from "../payments/index.ts";
import type { Admin } from "./deps.ts";
import { noteDeduction } from "./note-deduction.ts";

/**
 * Passes the shortfall of a partner's statement on to a publisher, as a deduction like any other: itemised, told by mail and open to dispute.
 * Problem `not_found`, or `unprocessable` if nothing is left of it.
 */
export async function passOnShortfall(
  deps: Admin,
  by: By,
  { statement, day, app, explanation }: { statement: string } & Body<typeof call>,
): Promise<Reply<typeof call>> {
  const {
    ownerUserId,
    amountMicros: amount,
    ...deduction
  } = await shortfallToPassOn(deps.pool, { statement, day, app });
  const { uuid } = await noteDeduction(deps, by, {
    ...deduction,
    owner: ownerUserId,
    day,
    app,
    amount,
    explanation,
    auctions: [],
  });
  return { deduction: uuid, amount };
}
