import type { Profile } from "@millrace/contract";
import { formatMoney, wholeCents } from "@millrace/units";
import { Problem } from "../../../platform/http/problem.ts";
import type { Accounts } from "../deps.ts";

type Owed = Profile["owed"];

export const NOTHING_OWED: Owed = { earned: 0, prepaid: 0 };

/** In whole cents, since less is never paid out. An account that owes something itself is owed nothing. */
export async function readOwed(
  {
    publisherBalanceOf,
    campaignBalanceOf,
    onItsWayTo,
  }: Pick<Accounts, "publisherBalanceOf" | "campaignBalanceOf" | "onItsWayTo">,
  accountId: number,
): Promise<Owed> {
  const [earned, prepaid, onItsWay] = await Promise.all([
    publisherBalanceOf(accountId),
    campaignBalanceOf(accountId),
    onItsWayTo(accountId),
  ]);
  return { earned: payable(earned), prepaid: payable(prepaid), ...(onItsWay > 0 && { on_its_way: onItsWay }) };
}

const payable = (micros: number) => Math.max(0, Number(wholeCents(micros)));

/** Problem `unprocessable` with the amounts, if there are any. */
export function refuseWhileOwed({ earned, prepaid, on_its_way: onItsWay }: Owed): void {
  if (earned === 0 && prepaid === 0 && onItsWay === undefined) return;
  const amounts = [
    ...(earned > 0 ? [`${formatMoney(earned)} of earnings`] : []),
    ...(prepaid > 0 ? [`${formatMoney(prepaid)} of prepaid balance`] : []),
  ];
  const questions = [
    ...(amounts.length > 0 ? [`The account is still owed ${amounts.join(" and ")}, which would be given up`] : []),
    ...(onItsWay === undefined
      ? []
      : [`${formatMoney(onItsWay)} is on its way, and would be given up if it comes back`]),
  ];
  throw new Problem("unprocessable", { give_up: questions.join(". ") });
}
