import type { AdminPartner, ListedPartner, PartnerToday } from "@millrace/contract";
import { type Adapter, findAdapter } from "@millrace/partners";
import { dayOf } from "@millrace/units";
import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { Problem } from "../../../platform/http/problem.ts";
import type { Sealer } from "../../../platform/sealed/sealer.ts";
import type { PartnerOnDayRow } from "../../statistics/index.ts";
import { openCredentials } from "../credentials.ts";
import { listPartners, type PartnerRow } from "../store.ts";
import { listedPartners, shownPartner, unsavedRow } from "./partner-row.ts";

export interface PartnersDeps {
  pool: Pool;
  /** What each partner did on a day, in the apps of all accounts. */
  partnersOnDay(day: string): Promise<PartnerOnDayRow[]>;
  clock: Clock;
  sealer: Sealer;
  /** In demo mode partners may be in a private network: the demand lab is. */
  demo: boolean;
}

/** The platform's partners with what they did today, and the adapters that it could connect. */
export async function listAllPartners(deps: PartnersDeps): Promise<{ partners: ListedPartner[] }> {
  const [rows, today] = await Promise.all([listPartners(deps.pool), partnersToday(deps)]);
  return { partners: listedPartners(rows, today) };
}

/** A partner's settings; Problem `not_found` unless it is saved, is an adapter, or `kind` names one. */
export async function readPartner(deps: PartnersDeps, id: string, kind?: string): Promise<AdminPartner> {
  const [{ row, adapter, connected }, today] = await Promise.all([
    findPartner(deps.pool, id, kind),
    partnersToday(deps),
  ]);
  const credentials = credentialNames(row, deps);
  return shownPartner(row, adapter, { connected, credentials, today: today.get(id) ?? null });
}

/** The names of a partner's secret headers, in order. */
export const credentialNames = ({ credentials }: PartnerRow, { sealer }: Pick<PartnersDeps, "sealer">): string[] =>
  Object.keys(openCredentials(credentials, sealer) ?? {}).toSorted();

/** A saved partner, or the settings that one would begin with. */
export async function findPartner(
  pool: Pool,
  id: string,
  kind = id,
): Promise<{ row: PartnerRow; adapter: Adapter; connected: boolean }> {
  const saved = (await listPartners(pool)).find((row) => row.id === id);
  const adapter = findAdapter(saved?.kind ?? kind);
  // The generic adapter has no partner of its own.
  if (!adapter || (!saved && id === "openrtb")) throw new Problem("not_found", "There is no such partner");
  return { row: saved ?? unsavedRow(id, adapter), adapter, connected: saved !== undefined };
}

async function partnersToday({ partnersOnDay, clock }: PartnersDeps): Promise<ReadonlyMap<string, PartnerToday>> {
  const rows = await partnersOnDay(dayOf(clock.now()));
  return new Map(
    rows.map(({ provider, asked, bids, wins, timeouts, errors, p50Ms, p95Ms }) => [
      provider,
      { asked, bids, wins, timeouts, errors, p50_ms: p50Ms, p95_ms: p95Ms },
    ]),
  );
}
