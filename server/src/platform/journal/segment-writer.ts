import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "../http/problem.ts";
import type { Log } from "../log.ts";
import { type Deferred, deferred } from "./deferred.ts";
import { type Group, type GroupQueue, framesOf } from "./group-queue.ts";
import type { SegmentFile, SegmentFiles } from "./segment-files.ts";
import { encodeFrame } from "./segment-format.ts";

export interface SegmentLimits {
  /** A segment is closed and shipped this long after its first row… */
  segmentMs: number;
  /** …or once it has so many rows or bytes: far less than what the store takes as one block, which a token stands for. */
  segmentRows: number;
  segmentBytes: number;
  /** Rows gather this long before they are written together, so that the disk is not asked to sync for each. */
  gatherMs: number;
}

interface OpenSegment {
  name: string;
  file: SegmentFile;
  bytes: number;
  rows: number;
  due: boolean;
  handedOver: Deferred;
}

export interface SegmentWriterDeps {
  files: SegmentFiles;
  groups: GroupQueue;
  log: Log;
  limits: SegmentLimits;
  handOver: (segment: { name: string; bytes: number }) => void;
}

export interface SegmentWriter {
  /** There are rows to write. */
  wake(): void;
  /** Closes the segment early; resolves once everything gathered so far has been handed over (or refused). */
  cut(): Promise<void>;
}

/** Writes groups into segments. One loop does all of it, so that a segment needs no lock. */
export function segmentWriter({ files, groups, log, limits, handOver }: SegmentWriterDeps): SegmentWriter {
  const nextName = segmentNames();
  let segment: OpenSegment | null = null;
  let newest: OpenSegment | undefined;
  let closing: NodeJS.Timeout | undefined;
  let working = false;
  let committing: Group | undefined;
  let failing = false;

  function wake(): void {
    if (working) return;
    working = true;
    void work().finally(() => {
      working = false;
      if (!groups.isEmpty() || segment?.due) wake();
    });
  }

  async function work(): Promise<void> {
    while (!groups.isEmpty()) {
      await sleep(limits.gatherMs);
      committing = groups.take();
      if (committing) await commit(committing);
      if (segment && isDue(segment)) await closeSegment(segment);
    }
    if (segment && isDue(segment)) await closeSegment(segment);
  }

  const isDue = ({ due, rows, bytes }: OpenSegment) =>
    due || rows >= limits.segmentRows || bytes >= limits.segmentBytes;

  async function commit(group: Group): Promise<void> {
    try {
      const buffers = framesOf(group).flatMap(encodeFrame);
      if (segment && segment.rows + group.rows > limits.segmentRows) await closeSegment(segment);
      segment ??= await openSegment();
      await segment.file.append(buffers);
      segment.bytes += buffers.reduce((sum, { length }) => sum + length, 0);
      segment.rows += group.rows;
      if (failing) log.info({}, "the journal can be written again");
      failing = false;
      group.durable.resolve();
    } catch (error) {
      if (!failing) log.error({ err: error }, "the journal cannot be written; events are refused until it can");
      failing = true;
      if (segment) await closeSegment(segment);
      group.durable.reject(new Problem("unavailable", "Events cannot be kept right now", { retryAfterSeconds: 1 }));
    }
  }

  async function openSegment(): Promise<OpenSegment> {
    const name = nextName();
    const opened = { name, file: await files.create(name), bytes: 0, rows: 0, due: false, handedOver: deferred() };
    closing = setTimeout(() => {
      opened.due = true;
      wake();
    }, limits.segmentMs);
    newest = opened;
    return opened;
  }

  /** Hands the segment over, cut back to what was acknowledged: a refused row must not be counted after all. */
  async function closeSegment({ name, file, bytes, rows, handedOver }: OpenSegment): Promise<void> {
    segment = null;
    clearTimeout(closing);
    await file
      .closeAt(bytes)
      .catch((error: unknown) => log.warn({ err: error, segment: name }, "a segment did not close"));
    if (rows > 0) handOver({ name, bytes });
    else await files.remove(name).catch(() => {});
    handedOver.resolve();
  }

  return {
    wake,
    async cut() {
      await Promise.allSettled([committing?.durable.promise, groups.newest()?.durable.promise]);
      // The last one opened may be closing already; it is through only once it has been handed over.
      const last = newest;
      if (!last) return;
      last.due = true;
      wake();
      await last.handedOver.promise;
    },
  };
}

/** Names sort by age and never come back, also when the clock is set back: a token must stand for one block for ever. */
function segmentNames(): () => string {
  const run = randomBytes(4).toString("hex");
  let newest = 0;
  let count = 0;
  return () => {
    newest = Math.max(newest, Date.now());
    return `${String(newest).padStart(14, "0")}-${String((count += 1)).padStart(8, "0")}-${run}`;
  };
}
