import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log.ts";
import type { Ship } from "./block.ts";
import { type Deferred, deferred } from "./deferred.ts";
import { inTime } from "../waiting.ts";
import { nameOfRefused } from "./refused-names.ts";
import type { SegmentFiles } from "./segment-files.ts";
import { shipBlock } from "./ship-block.ts";
import { decodeFrames, encodeFrame, joinFrames } from "./segment-format.ts";

export interface Shipper {
  /** Takes over a closed segment. */
  add(segment: ClosedSegment): void;
  /** Whether the store has taken (or refused) everything added so far, within the time. */
  through(timeoutMs: number): Promise<boolean>;
  /** How many segments wait for the store, and how large they are. */
  waiting(): number;
  bytesWaiting(): number;
  /** For how long the oldest of them has waited here; 0 if none waits. */
  oldestMs(): number;
  /** How many files of refused rows it has set aside. */
  refused(): number;
  /** Ends after the current attempt; the rest stays on disk. */
  stop(): Promise<void>;
}

/** A completed segment; its content is the first `bytes`. */
export interface ClosedSegment {
  name: string;
  bytes: number;
}

interface Waiting extends ClosedSegment {
  sinceMs: number;
  done: Deferred;
}

/** Ships segments in order, each until it succeeds; the wait between attempts doubles up to 5 s. */
export function startShipper({ files, ship, log }: { files: SegmentFiles; ship: Ship; log: Log }): Shipper {
  const queue: Waiting[] = [];
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let bytesWaiting = 0;
  let refused = 0;

  async function run(): Promise<void> {
    for (let next = queue[0]; next && !stopping.signal.aborted; next = queue[0]) {
      if (!(await shipUntilDone(next))) return;
      queue.shift();
      bytesWaiting -= next.bytes;
      next.done.resolve();
    }
  }

  function start(): void {
    running ??= run().finally(() => {
      running = null;
      if (queue.length > 0 && !stopping.signal.aborted) start();
    });
  }

  /** Resolves with false if it was stopped before the store had the segment. */
  async function shipUntilDone(segment: ClosedSegment): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      try {
        if (await shipSegment({ files, ship, log }, segment)) refused++;
        if (attempt > 0) log.info({ segment: segment.name, attempt }, "the store takes the journal again");
        return true;
      } catch (error) {
        if (attempt === 0)
          log.warn({ err: error, segment: segment.name }, "the store does not take the journal, trying again");
      }
      await sleep(Math.min(5000, 100 * 2 ** attempt), undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return false;
    }
  }

  return {
    add({ name, bytes }) {
      queue.push({ name, bytes, sinceMs: performance.now(), done: deferred() });
      bytesWaiting += bytes;
      start();
    },
    through: (timeoutMs) => inTime(queue.at(-1)?.done.promise ?? Promise.resolve(), timeoutMs),
    waiting: () => queue.length,
    bytesWaiting: () => bytesWaiting,
    oldestMs: () => (queue[0] ? performance.now() - queue[0].sinceMs : 0),
    refused: () => refused,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Resolves with whether rows were refused and set aside. */
async function shipSegment(
  { files, ship, log }: { files: SegmentFiles; ship: Ship; log: Log },
  { name, bytes }: ClosedSegment,
): Promise<boolean> {
  const content = await files.read(name, bytes);
  if (!content) {
    log.error({ segment: name }, "somebody took a journal segment away before it was counted");
    return false;
  }
  const refused = nameOfRefused(name);
  const kept: Buffer[] = [];
  for (const frame of joinFrames(decodeFrames(name, content))) {
    for (const { part, cause } of await shipBlock(ship, { ...frame, token: `${name}:${frame.table}` })) {
      kept.push(...encodeFrame(refused, part));
      log.error(
        { err: cause, segment: name, part: part.token, rows: part.count, file: refused },
        "the store refuses rows; they are sent again at the next start",
      );
    }
  }
  const isRefused = kept.length > 0;
  await (isRefused ? files.setAside(name, { name: refused, content: kept }) : files.release(name));
  return isRefused;
}
