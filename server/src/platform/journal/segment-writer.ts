import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "../http/problem.ts";
import type { Log } from "../log.ts";
import { type Deferred, deferred } from "./deferred.ts";
import { type Group, type GroupQueue, framesOf } from "./group-queue.ts";
import type { SegmentFile, SegmentFiles } from "./segment-files.ts";
import { encodeFrame } from "./segment-format.ts";
import type { ClosedSegment } from "./shipper.ts";

export interface SegmentLimits {
  /** A segment is closed and shipped this long after its first row… */
  segmentMs: number;
  /** …or once it has this many rows or bytes: far fewer than the store's largest block, because a token identifies one block. */
  segmentRows: number;
  segmentBytes: number;
  /** Rows gather this long before they are written together, so that they share a sync. */
  gatherMs: number;
  /** The delay while no appender waits. */
  patientMs: number;
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
  handOver: (segment: ClosedSegment) => void;
  /** Segments wait for the store already. */
  isBehind: () => boolean;
}

export interface SegmentWriter {
  /** There are rows to write; an appender waits for them unless they are fire-and-forget. */
  wake(isPatient?: boolean): void;
  /** Closes the segment early; resolves once everything gathered so far has been handed over (or refused). */
  cut(): Promise<void>;
  /** Releases the file prepared for the next segment, for later use. */
  close(): Promise<void>;
}

/** Writes groups into segments in one loop, so that a segment needs no lock. */
export function segmentWriter({ files, groups, log, limits, handOver, isBehind }: SegmentWriterDeps): SegmentWriter {
  const nextName = segmentNames();
  let segment: OpenSegment | null = null;
  let newest: OpenSegment | undefined;
  let prepared: Promise<{ name: string; file: SegmentFile } | null> = Promise.resolve(null);
  let closing: NodeJS.Timeout | undefined;
  let working = false;
  let committing: Group | undefined;
  let failing = false;
  let hurry = (): void => {};

  function wake(isPatient = false): void {
    if (!isPatient) hurry();
    if (working) return;
    working = true;
    void work().finally(() => {
      working = false;
      if (!groups.isEmpty() || segment?.due) wake();
    });
  }

  async function work(): Promise<void> {
    while (!groups.isEmpty()) {
      await gather();
      committing = groups.take();
      if (committing) await commit(committing);
      if (segment && isDue(segment)) await closeSegment(segment);
    }
    if (segment && isDue(segment)) await closeSegment(segment);
  }

  async function gather(): Promise<void> {
    if (!groups.isUrgent()) await patience();
    if (groups.isUrgent()) await sleep(limits.gatherMs);
  }

  const patience = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limits.patientMs);
      hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const isDue = ({ due, rows, bytes }: OpenSegment) =>
    due || rows >= limits.segmentRows || bytes >= limits.segmentBytes;

  async function commit(group: Group): Promise<void> {
    try {
      if (segment && segment.rows + group.rows > limits.segmentRows) await closeSegment(segment);
      segment ??= await openSegment();
      const { name, file } = segment;
      const buffers = framesOf(group).flatMap((frame) => encodeFrame(name, frame));
      await file.append(buffers);
      segment.bytes += buffers.reduce((sum, { length }) => sum + length, 0);
      segment.rows += group.rows;
      if (failing) log.info({}, "the journal can be written again");
      failing = false;
      group.durable.resolve();
    } catch (error) {
      if (!failing) log.error({ err: error }, "the journal cannot be written; events are refused until it can");
      failing = true;
      if (segment) await closeSegment(segment, { failed: true });
      group.durable.reject(new Problem("unavailable", "Events cannot be kept right now", { retryAfterSeconds: 1 }));
    }
  }

  async function make(): Promise<{ name: string; file: SegmentFile }> {
    const name = nextName();
    return { name, file: await files.create(name) };
  }

  async function openSegment(): Promise<OpenSegment> {
    const made = (await prepared) ?? (await make());
    const opened = { ...made, bytes: 0, rows: 0, due: false, handedOver: deferred() };
    // Creating a file waits for the file system's metadata, so the next one is made before it is needed.
    prepared = make().catch(() => null);
    closeLater(opened);
    newest = opened;
    return opened;
  }

  /** A slow store takes one large block faster than many small ones, so this segment grows while others wait for it. */
  function closeLater(opened: OpenSegment): void {
    closing = setTimeout(() => {
      if (isBehind()) return closeLater(opened);
      opened.due = true;
      wake();
    }, limits.segmentMs);
  }

  /**
   * Hands the segment over, truncated after a failure to the acknowledged rows, so that a refused row is not counted.
   */
  async function closeSegment(closed: OpenSegment, { failed } = { failed: false }): Promise<void> {
    const { name, file, bytes, handedOver } = closed;
    segment = null;
    clearTimeout(closing);
    await (failed ? file.closeAt(bytes) : file.close()).catch((error: unknown) =>
      log.warn({ err: error, segment: name }, "a segment did not close"),
    );
    handOver({ name, bytes });
    handedOver.resolve();
  }

  return {
    wake,
    async cut() {
      groups.urge();
      hurry();
      await Promise.allSettled([committing?.durable.promise, groups.newest()?.durable.promise]);
      // The last segment may be closing already; it counts as handed over only afterwards.
      const last = newest;
      if (!last) return;
      last.due = true;
      wake();
      await last.handedOver.promise;
    },
    async close() {
      const unused = await prepared;
      prepared = Promise.resolve(null);
      await unused?.file.close();
      // Only for tidiness: an empty segment does not trouble the next start.
      if (unused) await files.release(unused.name).catch(() => {});
    },
  };
}

/**
 * Names sort by age and are never reused, even if the clock is set back, because a token must identify one block for
 * ever.
 */
function segmentNames(): () => string {
  const run = randomBytes(4).toString("hex");
  let newest = 0;
  let count = 0;
  return () => {
    newest = Math.max(newest, Date.now());
    return `${String(newest).padStart(14, "0")}-${String((count += 1)).padStart(8, "0")}-${run}`;
  };
}
