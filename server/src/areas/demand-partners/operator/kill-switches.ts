import type { KillSwitch, NewKillSwitch } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import type { z } from "zod";
import type { Clock } from "../../../platform/clock.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";

interface Deps {
  pool: Pool;
  clock: Clock;
}

/** A kill switch in force, as the exchange needs it. Null and empty conditions hold for every request. */
export interface ActiveSwitch {
  /** Null switches everything off. */
  partnerId: string | null;
  appId: number | null;
  sdkFrom: string | null;
  sdkTo: string | null;
  countries: string[];
}

export async function listActiveSwitches(db: Pool): Promise<ActiveSwitch[]> {
  const { rows } = await db.query<ActiveSwitch>(
    `SELECT partner_id AS "partnerId", app_id AS "appId", sdk_from AS "sdkFrom", sdk_to AS "sdkTo", countries
     FROM kill_switches WHERE ended_at IS NULL ORDER BY id`,
  );
  return rows;
}

const ENDED_SHOWN = 100;

/** Those in force, then the last that have ended; the newest first. */
export async function listKillSwitches({ pool }: Pick<Deps, "pool">): Promise<{ switches: KillSwitch[] }> {
  const { rows } = await pool.query<
    Omit<KillSwitch, "created_at" | "ended_at"> & Record<"made" | "ended", Date | null>
  >(
    `SELECT s.uuid AS id, s.partner_id AS partner, COALESCE(p.name, s.partner_name) AS partner_name,
            COALESCE(a.uuid, s.app_uuid) AS app, COALESCE(a.name, s.app_name) AS app_name, s.sdk_from, s.sdk_to,
            s.countries, s.reason, s.created_at AS made, maker.email AS created_by, s.ended_at AS ended,
            ender.email AS ended_by
     FROM kill_switches s
       LEFT JOIN partners p ON p.id = s.partner_id
       LEFT JOIN apps a ON a.id = s.app_id
       LEFT JOIN users maker ON maker.id = s.created_by
       LEFT JOIN users ender ON ender.id = s.ended_by
     WHERE s.ended_at IS NULL OR s.id IN (
       SELECT id FROM kill_switches WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, id DESC LIMIT $1)
     ORDER BY s.ended_at DESC NULLS FIRST, s.id DESC`,
    [ENDED_SHOWN],
  );
  return {
    switches: rows.map(({ made, ended, ...row }) => ({
      ...row,
      created_at: made?.toISOString() ?? "",
      ended_at: ended?.toISOString() ?? null,
    })),
  };
}

/**
 * Switches a partner or the SDK off, unless the same is off already. Problem `invalid` for an unknown partner or app, `conflict` if it
 * is off for another reason.
 */
export async function addKillSwitch(
  { pool, clock }: Deps,
  by: By,
  input: z.output<typeof NewKillSwitch>,
): Promise<{ switches: KillSwitch[] }> {
  const { partner, app, sdk_from: from, sdk_to: to, countries, reason } = input;
  await inTransaction(pool, async (client) => {
    const found = await namesOf(client, input);
    if (partner !== null && found.partnerName === null)
      throw new Problem("invalid", { partner: "There is no such partner" });
    if (app !== null && found.appId === null) throw new Problem("invalid", { app: "There is no app with this key" });
    // Of two that are added at once, the second finds the first.
    await client.query("LOCK TABLE kill_switches IN SHARE ROW EXCLUSIVE MODE");
    const before = await reasonInForce(client, input);
    if (before === reason) return;
    if (before !== undefined)
      throw new Problem("conflict", `A switch with the same conditions is already in force. Reason: ${before}`);
    const { rows } = await client.query<{ uuid: string }>(
      `INSERT INTO kill_switches (partner_id, partner_name, app_id, app_uuid, app_name, sdk_from, sdk_to, countries, reason,
         created_at, created_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING uuid`,
      [
        partner,
        found.partnerName,
        found.appId,
        app,
        found.appName,
        from,
        to,
        [...new Set(countries)],
        reason,
        new Date(clock.now()),
        by.caller.userId,
      ],
    );
    await recordAct({ pool: client, clock }, by, {
      action: "kill_switch_added",
      subject: rows[0]?.uuid ?? "",
      details: { ...input },
    });
  });
  return listKillSwitches({ pool });
}

/** Why a switch with the same conditions is in force; undefined if none is. */
async function reasonInForce(
  client: PoolClient,
  { partner, app, sdk_from: from, sdk_to: to, countries }: z.output<typeof NewKillSwitch>,
): Promise<string | undefined> {
  const { rows } = await client.query<{ reason: string }>(
    `SELECT reason FROM kill_switches
     WHERE ended_at IS NULL AND partner_id IS NOT DISTINCT FROM $1 AND app_uuid IS NOT DISTINCT FROM $2
       AND sdk_from IS NOT DISTINCT FROM $3 AND sdk_to IS NOT DISTINCT FROM $4 AND countries @> $5 AND countries <@ $5
     ORDER BY id LIMIT 1`,
    [partner, app, from, to, countries],
  );
  return rows[0]?.reason;
}

interface Named {
  partnerName: string | null;
  appId: number | null;
  appName: string | null;
}

async function namesOf(
  client: PoolClient,
  { partner, app }: Pick<z.output<typeof NewKillSwitch>, "partner" | "app">,
): Promise<Named> {
  const { rows } = await client.query<Named>(
    `SELECT (SELECT name FROM partners WHERE id = $1) AS "partnerName", a.id AS "appId", a.name AS "appName"
     FROM (VALUES (1)) one LEFT JOIN apps a ON a.uuid = $2 AND a.deleted_at IS NULL`,
    [partner, app],
  );
  return rows[0] ?? { partnerName: null, appId: null, appName: null };
}

/** Ends a switch; one that has ended stays as it is. Problem `not_found` for an unknown one. */
export async function endKillSwitch({ pool, clock }: Deps, by: By, id: string): Promise<{ switches: KillSwitch[] }> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ isEnded: boolean }>(
      `SELECT ended_at IS NOT NULL AS "isEnded" FROM kill_switches WHERE uuid = $1 FOR UPDATE`,
      [id],
    );
    const [found] = rows;
    if (!found) throw new Problem("not_found", "There is no such kill switch");
    if (found.isEnded) return;
    await client.query("UPDATE kill_switches SET ended_at = $2, ended_by = $3 WHERE uuid = $1", [
      id,
      new Date(clock.now()),
      by.caller.userId,
    ]);
    await recordAct({ pool: client, clock }, by, { action: "kill_switch_ended", subject: id });
  });
  return listKillSwitches({ pool });
}
