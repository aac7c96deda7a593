import { type FloorRule, publisherFloorMicros } from "@millrace/auction";
import { FORMATS } from "@millrace/contract";
import {
  type CellFloor,
  type ComparedFloors,
  FLOOR_HALF_LIFE_MS,
  FLOOR_STATES,
  fitFloor,
  groupsOf,
} from "@millrace/learning";
import { HOUR_MS } from "@millrace/units";
import type { Pool } from "pg";
import { z } from "zod";
import { grouped } from "../../../platform/grouped.ts";
import { CELL_DAYS, type FloorEvidenceRow } from "../../statistics/index.ts";
import type { AppsDeps } from "../deps.ts";
import { floorRuleOf } from "../settings/settings-store.ts";
import { publishTable } from "./publish-table.ts";

/** The name under which automatic floors are published for exchanges, by app and cell: step and state. Its version changes only with them. */
export const FLOOR_TABLE = "automatic_floors";

/** The same with the evidence that they were learned from, for the owners' pages and the next fit: `LearnedFloors` by app. */
export const FLOOR_EVIDENCE_TABLE = "automatic_floor_evidence";

/** With fewer requests in a week, nothing can be learned about a cell within weeks. */
export const LEAST_REQUESTS = 1000;

const Evidence = z.object({ count: z.number(), sum: z.number(), squares: z.number() });
/** What is learned for the cells of one app, by their names: see `groupsOf`. */
export const LearnedFloors = z.record(
  z.string(),
  z.object({
    step: z.int(),
    state: z.enum(FLOOR_STATES),
    movedAt: z.int(),
    automatic: Evidence,
    held: Evidence,
    /** How many requests of the compared days had an automatic floor. */
    requests: z.int(),
  }),
);
export type LearnedFloors = z.infer<typeof LearnedFloors>;

/** Learns the floors of all apps whose floors are automatic, from what their requests earned, and publishes them as a whole. */
export async function publishFloors({ pool, statistics, clock }: Pick<AppsDeps, "pool" | "statistics" | "clock">) {
  const nowMs = clock.now();
  const { rows } = await pool.query<{ id: number }>(
    "SELECT id FROM apps WHERE automatic_floors AND moderation = 'live' AND deleted_at IS NULL ORDER BY id",
  );
  const appIds = rows.map(({ id }) => id);
  const before = await learnedBefore(pool);
  if (appIds.length === 0 && Object.keys(before).length === 0) return;
  const params = { appIds, now: Math.floor(nowMs / 1000) };
  const [cells, evidence, rules] = await Promise.all([
    statistics.floors.cells({ ...params, atLeast: LEAST_REQUESTS }),
    statistics.floors.evidence({ ...params, halfLifeHours: FLOOR_HALF_LIFE_MS / HOUR_MS }),
    rulesOf(pool, appIds),
  ]);
  const evidenceOf = grouped(evidence, (row) => `${row.appId} ${nameOf(row)}`);
  const cellsOf = grouped(cells, ({ appId }) => appId);
  const content: Record<string, LearnedFloors> = {};
  for (const appId of appIds) {
    const known = before[appId] ?? {};
    const busy = new Map((cellsOf.get(appId) ?? []).map((cell) => [nameOf(cell), cell]));
    // What is learned of a cell stays when it becomes quiet.
    const names = new Set([...busy.keys(), ...Object.keys(known)]);
    const learned: LearnedFloors = {};
    for (const name of names) {
      const [id, country = ""] = name.split("/");
      const format = FORMATS.find((each) => each === id);
      if (format === undefined) continue;
      const own = evidenceOf.get(`${appId} ${name}`) ?? [];
      const cell = busy.get(name);
      const facts = {
        ownMicros: publisherFloorMicros(rules.get(appId) ?? [], country, format),
        lowPriceMicros: cell?.lowPriceMicros ?? 0,
        requestsPerHour: (cell?.requests ?? 0) / (CELL_DAYS * 24),
      };
      const automatic = own.filter(isAutomatic);
      learned[name] = {
        ...fitFloor(known[name], own.map(evidenceFrom), facts, nowMs),
        requests: automatic.reduce((sum, { requests }) => sum + requests, 0),
      };
    }
    if (names.size > 0) content[appId] = learned;
  }
  await publishTable(pool, FLOOR_EVIDENCE_TABLE, content, new Date(nowMs));
  await publishTable(pool, FLOOR_TABLE, inForce(content), new Date(nowMs));
}

/** What auctions draw from. */
function inForce(content: Readonly<Record<string, LearnedFloors>>) {
  const byApp = Object.entries(content).map(([appId, learned]) => {
    const cells = Object.entries(learned).map(([name, { step, state }]) => [name, { step, state }] as const);
    return [appId, Object.fromEntries(cells)] as const;
  });
  return Object.fromEntries(byApp);
}

const nameOf = (cell: Parameters<typeof groupsOf>[0]): string => groupsOf(cell)[2];

const isAutomatic = ({ arm }: Pick<FloorEvidenceRow, "arm">): boolean => arm === "learned" || arm === "shock";

const evidenceFrom = ({ arm, step, probability, requests, total, totalSquares, ...row }: FloorEvidenceRow) => ({
  arm,
  step: isAutomatic({ arm }) ? step : null,
  probability,
  earned: { count: requests, sum: total, squares: totalSquares },
  recent: { count: row.recent, sum: row.recentTotal, squares: 0 },
});

async function learnedBefore(pool: Pool): Promise<Record<string, Record<string, CellFloor & ComparedFloors>>> {
  const { rows } = await pool.query<{ content: unknown }>("SELECT content FROM learned_tables WHERE name = $1", [
    FLOOR_EVIDENCE_TABLE,
  ]);
  return z.record(z.string(), LearnedFloors).parse(rows[0]?.content ?? {});
}

async function rulesOf(pool: Pool, appIds: readonly number[]): Promise<Map<number, FloorRule[]>> {
  const { rows } = await pool.query<{ app_id: number; country: string | null; format: string | null; floor: string }>(
    "SELECT app_id, country, format, floor_micros AS floor FROM floors WHERE app_id = ANY($1)",
    [appIds],
  );
  const rulesIn = (own: typeof rows) => own.flatMap((row) => floorRuleOf({ ...row, floor: Number(row.floor) }) ?? []);
  return new Map([...grouped(rows, (row) => row.app_id)].map(([appId, own]) => [appId, rulesIn(own)]));
}
