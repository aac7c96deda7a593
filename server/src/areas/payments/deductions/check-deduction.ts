import { dayOf, addDays } from "@millrace/units";
import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { lastDayOver } from "../accrual.ts";

export interface CheckDeps {
  pool: Pool;
  clock: Clock;
  /** The names of partners and other providers by their ids. */
  providerNames(): Promise<ReadonlyMap<string, string>>;
  /** The apps of those of these auctions that are stored, by the auction's id. */
  appsOfAuctions(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** How many days single requests are kept at least; null if for ever. */
  requestsKeptDays: number | null;
}

interface DeductionInput {
  day: string;
  /** The app's UUID. */
  app: string;
  provider: string | null;
  auctions: readonly string[];
}

/**
 * Finds the app of a deduction, deleted apps included, and checks what else it names. Problem `not_found` if the account
 * has no such app; `unprocessable` naming a day that is not over, an unknown provider, or auctions that are not the app's.
 */
export async function checkDeduction(deps: CheckDeps, accountId: number, input: DeductionInput): Promise<number> {
  const { day, app, provider, auctions } = input;
  const { rows } = await deps.pool.query<{ id: number }>("SELECT id FROM apps WHERE account_id = $1 AND uuid = $2", [
    accountId,
    app,
  ]);
  const appId = rows[0]?.id;
  if (appId === undefined) throw new Problem("not_found", { app: "This account has no such app" });
  if (day > lastDayOver(deps.clock)) throw new Problem("unprocessable", { day: "Choose a day that is over (UTC)" });
  if (provider !== null && !(await deps.providerNames()).has(provider))
    throw new Problem("unprocessable", { provider: "There is no such partner" });
  const wrong = await notOfApp(deps, { appId, day, auctions });
  if (wrong.length > 0)
    throw new Problem("unprocessable", { auctions: `Not recorded for this app: ${wrong.join(", ")}` });
  return appId;
}

/** Auctions of other apps, and unknown ones unless their day's may have been deleted. */
async function notOfApp(
  { clock, appsOfAuctions, requestsKeptDays }: CheckDeps,
  { appId, day, auctions }: { appId: number; day: string; auctions: readonly string[] },
): Promise<string[]> {
  if (auctions.length === 0) return [];
  const apps = await appsOfAuctions(auctions);
  // An ad may be shown on the day after its auction.
  const areKept = requestsKeptDays === null || addDays(day, -1) >= addDays(dayOf(clock.now()), -requestsKeptDays);
  return auctions.filter((id) => (apps.has(id) ? apps.get(id) !== appId : areKept));
}
