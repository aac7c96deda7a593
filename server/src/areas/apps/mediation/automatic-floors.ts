import { publisherFloorMicros } from "@millrace/auction";
import { type AutomaticFloors, FORMATS } from "@millrace/contract";
import { type ComparedFloors, added, floorAtStep, liftOf, NO_EVIDENCE } from "@millrace/learning";
import type { Pool } from "pg";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import type { AppsDeps } from "../deps.ts";
import { lockAccount } from "../editing-store.ts";
import { findSettings, floorRuleOf } from "../settings/settings-store.ts";
import { ownApp } from "../store.ts";
import { FLOOR_EVIDENCE_TABLE, LearnedFloors } from "./publish-floors.ts";

/** The cells with the most requests are shown. */
const MOST_CELLS = 12;

/** An app's automatic floors as they were last learned, and what they changed. */
export async function readAutomaticFloors(pool: Pool, appId: number): Promise<AutomaticFloors> {
  const { rows } = await pool.query<{ enabled: boolean; learned: unknown; fitted_at: Date | null }>(
    `SELECT automatic_floors AS enabled, t.content -> a.id::text AS learned, t.fitted_at
     FROM apps a LEFT JOIN learned_tables t ON t.name = $2 WHERE a.id = $1`,
    [appId, FLOOR_EVIDENCE_TABLE],
  );
  const [row] = rows;
  if (!row) throw new Error(`the app ${appId} is gone`);
  const learned = row.enabled && row.learned !== null ? LearnedFloors.parse(row.learned) : {};
  const { floors } = await findSettings(pool, appId);
  const rules = floors.flatMap((floor) => floorRuleOf(floor) ?? []);
  const cells = Object.entries(learned).flatMap(([name, cell]) => {
    const [id = "", country = ""] = name.split("/");
    const format = FORMATS.find((known) => known === id);
    if (format === undefined) return [];
    const own = publisherFloorMicros(rules, country, format);
    return [
      { format, country, own, floor: Math.max(own, floorAtStep(cell.step)), state: cell.state, ...liftReply(cell) },
    ];
  });
  const parts = Object.values(learned);
  const total = parts.reduce(
    (sum, { automatic, held, requests }) => ({
      automatic: added(sum.automatic, automatic),
      held: added(sum.held, held),
      requests: sum.requests + requests,
    }),
    { automatic: NO_EVIDENCE, held: NO_EVIDENCE, requests: 0 },
  );
  return {
    enabled: row.enabled,
    fitted_at: cells.length === 0 ? null : (row.fitted_at?.toISOString() ?? null),
    total: cells.length === 0 ? null : liftReply(total),
    cells: cells.toSorted((a, b) => b.requests - a.requests).slice(0, MOST_CELLS),
    more: Math.max(0, cells.length - MOST_CELLS),
  };
}

/** Switches an app's automatic floors on or off. Problem `not_found` for another account's or an unknown app. */
export async function setAutomaticFloors(
  { pool, clock }: Pick<AppsDeps, "pool" | "clock">,
  by: By,
  uuid: string,
  enabled: boolean,
): Promise<AutomaticFloors> {
  const id = await inTransaction(pool, async (client) => {
    await lockAccount(client, by.caller.accountId);
    const app = await ownApp(client, by.caller, uuid);
    const { rowCount } = await client.query(
      "UPDATE apps SET automatic_floors = $2 WHERE id = $1 AND automatic_floors <> $2",
      [app.id, enabled],
    );
    if (rowCount === 1) {
      const act = { action: "app_automatic_floors_switched", subject: app.uuid, details: { enabled } };
      await recordAct({ pool: client, clock }, by, act);
    }
    return app.id;
  });
  return readAutomaticFloors(pool, id);
}

/** Percentages; what is not bounded is null. */
function liftReply({ automatic, held, requests }: ComparedFloors & { requests: number }) {
  const { lift, possible } = liftOf(automatic, held);
  const percent = (share: number | null) => (share === null || !Number.isFinite(share) ? null : share * 100);
  return {
    lift: percent(lift),
    low: possible.low <= -1 ? null : percent(possible.low),
    high: percent(possible.high),
    requests,
    held: Math.round(held.count),
  };
}
