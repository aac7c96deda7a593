import type { Pool } from "pg";
import type { Area } from "../area.ts";
import type { Log } from "../log.ts";
import { sleep } from "../waiting.ts";
import { SealError, type Sealer } from "./sealer.ts";

/** A column of sealed values. */
export interface SealedColumn {
  table: string;
  /** The columns of the table's primary key. */
  key: readonly string[];
  column: string;
  purpose: string;
}

interface ResealDeps {
  pool: Pool;
  sealer: Sealer;
  /** A column from which values are copied comes before the one that they are copied to. */
  columns: readonly SealedColumn[];
}

interface Pass {
  /** The values of older secrets that were found. */
  old: number;
  /** Values that no configured secret opens, with their rows' keys. */
  unreadable: { table: string; column: string; keys: string[] }[];
}

const PAGE_ROWS = 100;
/** So that transactions which had read an old value before a pass end before the next one. */
const PAUSE_MS = 60_000;

/**
 * Seals each value of an older secret again with the newest, in a statement of its own and only if it is still the same, so that a
 * change made meanwhile stays. Any number of passes may run at once, and end at any point. Values that cannot be opened stay.
 */
export async function resealColumns({ pool, sealer, columns }: ResealDeps, signal?: AbortSignal): Promise<Pass> {
  const pass: Pass = { old: 0, unreadable: [] };
  for (const { table, key, column, purpose } of columns) {
    const keys: string[] = [];
    for await (const { id, sealed } of oldValues({ pool, sealer }, { table, key, column })) {
      if (signal?.aborted === true) return pass;
      const again = sealedAgain(sealer, sealed, purpose);
      if (again === null) {
        keys.push(id.join(" "));
        continue;
      }
      pass.old++;
      await pool.query(
        `UPDATE ${table} SET ${column} = $1 WHERE ${column} = $2 AND (${key.join(", ")}) = (${places(key, 3)})`,
        [again, sealed, ...id],
      );
    }
    if (keys.length > 0) pass.unreadable.push({ table, column, keys });
  }
  return pass;
}

/** The values of a column that the newest secret has not sealed, in the order of their rows' keys. */
async function* oldValues(
  { pool, sealer }: Pick<ResealDeps, "pool" | "sealer">,
  { table, key, column }: Pick<SealedColumn, "table" | "key" | "column">,
): AsyncGenerator<{ id: string[]; sealed: Buffer }> {
  // With the table's name: an `id` alone would be the array in ORDER BY, which orders numbers as texts.
  const parts = key.map((part) => `${table}.${part}`);
  const isOld = `substr(${column}, 1, ${sealer.newestHead.length}) <> $1`;
  let last: string[] | undefined;
  for (;;) {
    const isLater = last === undefined ? "" : `AND (${parts.join(", ")}) > (${places(key, 2)})`;
    const { rows } = await pool.query<{ id: string[]; sealed: Buffer }>(
      `SELECT ARRAY[${parts.map((part) => `${part}::text`).join(", ")}] AS id, ${column} AS sealed
       FROM ${table} WHERE ${isOld} ${isLater} ORDER BY ${parts.join(", ")} LIMIT ${PAGE_ROWS}`,
      [sealer.newestHead, ...(last ?? [])],
    );
    yield* rows;
    last = rows.at(-1)?.id;
    if (last === undefined) return;
  }
}

const places = (key: readonly string[], first: number) => key.map((_, nth) => `$${first + nth}`).join(", ");

function sealedAgain(sealer: Sealer, sealed: Buffer, purpose: string): Buffer | null {
  try {
    return sealer.seal(sealer.open(sealed, purpose), purpose);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

/**
 * Seals again in the background, from the start until a pass finds nothing of an older secret. Then the log says so, and names the rows
 * of values that cannot be opened.
 */
export function resealing(
  deps: ResealDeps & { hasOlderSecrets: boolean; log: Pick<Log, "info" | "warn" | "error">; pauseMs?: number },
): Area & { start(): Promise<void>; stop(): Promise<void> } {
  const { hasOlderSecrets, log, pauseMs = PAUSE_MS } = deps;
  const stopped = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    let resealed = 0;
    while (!stopped.signal.aborted) {
      try {
        const { old, unreadable } = await resealColumns(deps, stopped.signal);
        if (stopped.signal.aborted) return;
        resealed += old;
        if (old === 0) return tell(unreadable, resealed);
      } catch (error) {
        log.warn({ err: error }, "values of older secrets could not be sealed again; the next try is in a minute");
      }
      await sleep(pauseMs, stopped.signal);
    }
  }

  function tell(unreadable: Pass["unreadable"], resealed: number): void {
    for (const { table, column, keys } of unreadable) {
      const some = { table, column, count: keys.length, keys: keys.slice(0, PAGE_ROWS) };
      log.error(some, "sealed values cannot be opened: their secret is not configured, or they were changed");
    }
    if (hasOlderSecrets) log.info({ resealed }, "no stored value needs an older secret any more");
  }

  return {
    name: "resealing",
    routes: () => undefined,
    async start() {
      running = run();
    },
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
