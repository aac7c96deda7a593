import type { PartnerBreakers, PlatformFigures } from "@millrace/contract";
import type { Pool } from "pg";

type SinceStart = NonNullable<PlatformFigures["since_start"]>;
type Paused = PartnerBreakers["paused"][number];

/** Counts since the start, each by how they ended. */
const COUNTED = ["imps", "invalid_events", "notices", "refused_vast"] as const;
type Counts = Record<(typeof COUNTED)[number], Readonly<Record<string, number>>>;

/** What an exchange process says of itself. */
interface ExchangeState {
  counts: Counts;
  paused: readonly Paused[];
}

export const STATE_MS = 2000;
/** A process that has said nothing for so long has stopped. */
const HEARD_SECONDS = 15;

/** Notes the state of an exchange process, for whoever shows the platform to admins in another process. */
export async function noteState(pool: Pool, name: string, { counts, paused }: ExchangeState): Promise<void> {
  await pool.query(
    `INSERT INTO exchange_states (name, started_at, counts, paused) VALUES ($1, now() - $2 * interval '1 second', $3, $4)
     ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at, at = now(), counts = excluded.counts, paused = excluded.paused`,
    [name, process.uptime(), JSON.stringify(counts), JSON.stringify(paused)],
  );
}

export async function forgetState(pool: Pool, name: string): Promise<void> {
  await pool.query("DELETE FROM exchange_states WHERE name = $1 OR at < now() - interval '1 day'", [name]);
}

/** What all running exchange processes have counted since they started; null if none is heard of. */
export async function sinceStart(pool: Pool): Promise<SinceStart | null> {
  const { rows } = await pool.query<ExchangeState & { startedAt: Date }>(
    `SELECT started_at AS "startedAt", counts, paused FROM exchange_states ${HEARD} ORDER BY started_at`,
  );
  const [first] = rows;
  if (!first) return null;
  const [imps, invalid_events, notices, refused_vast] = COUNTED.map((what) =>
    summed(rows.map(({ counts }) => counts[what])),
  );
  return {
    started_at: first.startedAt.toISOString(),
    processes: rows.length,
    imps: imps ?? [],
    invalid_events: invalid_events ?? [],
    notices: notices ?? [],
    refused_vast: refused_vast ?? [],
    paused_partners: new Set(rows.flatMap(({ paused }) => paused.map(({ id }) => id))).size,
  };
}

/** The partners that an exchange process does not ask for now. */
export async function pausedPartners(pool: Pool): Promise<Paused[]> {
  // One that probes is ahead of those that wait.
  const { rows } = await pool.query<Paused>(
    `SELECT one->>'id' AS id, min(one->>'breaker') AS breaker
     FROM exchange_states, jsonb_array_elements(paused) AS one ${HEARD} GROUP BY 1 ORDER BY 1`,
  );
  return rows;
}

const HEARD = `WHERE at > now() - interval '${HEARD_SECONDS} seconds'`;

/** Added up by result, the largest first. */
function summed(all: readonly Readonly<Record<string, number>>[]): SinceStart["imps"] {
  const sums = new Map<string, number>();
  for (const counts of all) {
    for (const [result, count] of Object.entries(counts)) sums.set(result, (sums.get(result) ?? 0) + count);
  }
  return [...sums].map(([result, count]) => ({ result, count })).toSorted((a, b) => b.count - a.count);
}
