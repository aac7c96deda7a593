import { Problem } from "../http/problem.ts";
import type { Log } from "../log.ts";
import { groupQueue } from "./group-queue.ts";
import { type SegmentFiles, segmentFiles } from "./segment-files.ts";
import { decodeFrames } from "./segment-format.ts";
import { type SegmentLimits, segmentWriter } from "./segment-writer.ts";
import type { Ship } from "./block.ts";
import { startShipper } from "./shipper.ts";

export interface JournalLimits extends SegmentLimits {
  /** Beyond this on the disk, waiting for the store, rows are refused. */
  backlogBytes: number;
  /** Beyond this in memory, waiting for the disk, rows are refused. */
  waitingBytes: number;
}

const LIMITS: JournalLimits = {
  // Each insert costs the analytical store a part in every table and rollup, however few its rows.
  segmentMs: 1000,
  segmentRows: 50_000,
  segmentBytes: 16 * 2 ** 20,
  gatherMs: 2,
  patientMs: 25,
  backlogBytes: 8 * 2 ** 30,
  waitingBytes: 64 * 2 ** 20,
};

/** Keeps rows on the disk until the store has them. */
export interface Journal {
  /**
   * Resolves once the row is on disk, from where it reaches the store exactly once. Problem `unavailable` if it cannot
   * be stored.
   */
  append(table: string, row: object): Promise<void>;
  /** The same for rows that are kept together or not at all; they are fewer than a segment holds. */
  appendAll(table: string, rows: readonly object[]): Promise<void>;
  /** Ships all appended rows; Problem `unavailable` if the store does not take them in time. */
  flush(timeoutMs?: number): Promise<void>;
  /** The rows that an earlier process left and the store does not have yet. */
  leftovers(table: string): AsyncGenerator<unknown>;
  /** The amount waiting for the store. */
  backlog(): { segments: number; bytes: number };
  /** For how long the oldest segment has waited since it was closed or the journal opened, and the number of files of refused rows. */
  delays(): { oldestMs: number; refused: number };
  /** Refuses further rows, ships the rest if the store takes it in time, and leaves it to the next start otherwise. */
  close(timeoutMs?: number): Promise<void>;
}

export interface JournalDeps {
  ship: Ship;
  log: Log;
  /** Tables whose appends are fire-and-forget: their rows are flushed with other tables' or a moment later. */
  patient?: readonly string[];
  limits?: Partial<JournalLimits>;
}

/** Opens the journal of a directory, which no other process may have open, and begins to ship what is left in it. */
export async function openJournal(dir: string, deps: JournalDeps): Promise<Journal> {
  return openJournalOn(await segmentFiles(dir), deps);
}

export async function openJournalOn(files: SegmentFiles, deps: JournalDeps): Promise<Journal> {
  const { ship, log, patient = [] } = deps;
  const limits = { ...LIMITS, ...deps.limits };
  const shipper = startShipper({ files, ship, log });
  const groups = groupQueue(limits);
  const writer = segmentWriter({
    files,
    groups,
    log,
    limits,
    handOver: (segment) => shipper.add(segment),
    isBehind: () => shipper.waiting() > 1,
  });
  let closed = false;

  // What the store refused may have been for want of a table or column, which a restored store gets at the start.
  await files.takeBack();
  const leftAtStart = await files.list();
  for (const segment of leftAtStart) shipper.add(segment);

  async function flush(timeoutMs = 10_000): Promise<void> {
    await writer.cut();
    if (!(await shipper.through(timeoutMs))) {
      throw new Problem("unavailable", "Statistics are behind right now", { retryAfterSeconds: 1 });
    }
  }

  function appendAll(table: string, rows: readonly object[]): Promise<void> {
    if (rows.length > limits.segmentRows) throw new RangeError(`${rows.length} rows are more than a segment holds`);
    if (closed) return refused("The platform is stopping");
    if (shipper.bytesWaiting() > limits.backlogBytes) return refused("Too many events wait to be counted");
    if (groups.bytes() > limits.waitingBytes) return refused("Too many events wait to be written");
    const isPatient = patient.includes(table);
    const lines = rows.map((row) => JSON.stringify(row));
    const durable = groups.add(table, lines, !isPatient);
    writer.wake(isPatient);
    return durable;
  }

  return {
    append: (table, row) => appendAll(table, [row]),
    appendAll,
    flush,
    async *leftovers(table) {
      for (const { name } of leftAtStart) {
        // Gone means shipped in the meantime: the store has it.
        const content = (await files.read(name)) ?? Buffer.alloc(0);
        for (const frame of decodeFrames(name, content)) {
          if (frame.table !== table) continue;
          for (const line of frame.rows.toString().split("\n")) if (line !== "") yield JSON.parse(line) as unknown;
        }
      }
    },
    backlog: () => ({ segments: shipper.waiting(), bytes: shipper.bytesWaiting() }),
    delays: () => ({ oldestMs: shipper.oldestMs(), refused: shipper.refused() }),
    async close(timeoutMs = 5000) {
      closed = true;
      await flush(timeoutMs).catch(() => {
        log.warn({ segments: shipper.waiting() }, "the rest of the journal is shipped at the next start");
      });
      await writer.close();
      await shipper.stop();
    },
  };
}

const refused = (sentence: string) => Promise.reject(new Problem("unavailable", sentence, { retryAfterSeconds: 1 }));
