import { mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { silentLog } from "../../log.ts";
import type { Block, Ship } from "../block.ts";
import { type Journal, type JournalDeps, openJournal, openJournalOn } from "../journal.ts";
import type { SegmentFiles } from "../segment-files.ts";

interface Row {
  id: number;
}

/** A store that keeps each token's block once, as the analytical store does. */
export function memoryStore() {
  const blocks = new Map<string, Block>();
  const store = {
    down: false,
    calls: [] as string[],
    ship: async (block: Block) => {
      store.calls.push(block.token);
      if (store.down) throw new Error("connection refused");
      blocks.set(block.token, block);
    },
    rows: (table: string): Row[] =>
      [...blocks.values()]
        .filter((block) => block.table === table)
        .flatMap(({ rows }) => rows.toString().trimEnd().split("\n"))
        .map((line) => JSON.parse(line) as Row),
    blocks: () => [...blocks.values()],
  };
  return store;
}

/** An empty directory, gone after the test. */
export function newDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "journal-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  return dir;
}

type More = Omit<Partial<JournalDeps>, "ship">;

/** Opens the journal of a directory or of given files, and closes it after the test. */
export async function open(on: string | SegmentFiles, ship: Ship, more: More = {}): Promise<Journal> {
  const deps = { ship, log: silentLog, ...more };
  const journal = await (typeof on === "string" ? openJournal(on, deps) : openJournalOn(on, deps));
  onTestFinished(() => journal.close(0));
  return journal;
}

/** Files with rows, or possibly with rows; not those kept for reuse. */
export const filesIn = (dir: string) => readdirSync(dir).filter((file) => !file.endsWith(".spare"));
export const ids = (rows: Row[]) => rows.map(({ id }) => id).toSorted((a, b) => a - b);
export const upTo = (count: number) => Array.from({ length: count }, (_, id) => id);
