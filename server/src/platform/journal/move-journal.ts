import { existsSync } from "node:fs";
import { silentLog } from "../log.ts";
import { deferred } from "./deferred.ts";
import { type Journal, openJournal } from "./journal.ts";

const AT_ONCE = 1000;

/**
 * Appends the rows of one journal's tables to another one and removes them from the first; nobody else may use either. If it
 * rejects, rows may be in both.
 */
export async function moveJournal(from: string, to: string, tables: readonly string[]): Promise<void> {
  if (!existsSync(from)) return;
  const moved = deferred();
  const source = await openJournal(from, { ship: () => moved.promise, log: silentLog });
  let target: Journal | undefined;
  const open = () =>
    openJournal(to, { ship: () => Promise.reject(new Error("whoever uses it ships it")), log: silentLog });
  try {
    for (const table of tables) {
      let rows: object[] = [];
      for await (const row of source.leftovers(table)) {
        rows.push(row as object);
        if (rows.length < AT_ONCE) continue;
        await (target ??= await open()).appendAll(table, rows);
        rows = [];
      }
      if (rows.length > 0) await (target ??= await open()).appendAll(table, rows);
    }
    moved.resolve();
    await source.flush();
  } catch (error) {
    moved.reject(new Error("not moved"));
    throw error;
  } finally {
    await source.close(0);
    await target?.close(0);
  }
}
