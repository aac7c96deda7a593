import { type Deferred, deferred } from "./deferred.ts";
import type { Frame } from "./segment-format.ts";

/** Rows that are written and synced together; all appenders of a group share one promise. */
export interface Group {
  rows: number;
  bytes: number;
  lines: Map<string, string[]>;
  /** An appender waits for one of its rows. */
  urgent: boolean;
  durable: Deferred;
}

/** Groups waiting for the disk. None is larger than a segment, however slow the disk. */
export interface GroupQueue {
  /** Settles with the group of these rows: all of them together. */
  add(table: string, rows: readonly string[], urgent: boolean): Promise<void>;
  take(): Group | undefined;
  isEmpty(): boolean;
  /** Whether the next group should be written without waiting for more rows: it is awaited, or full. */
  isUrgent(): boolean;
  /** Marks the current group as awaited. */
  urge(): void;
  bytes(): number;
  newest(): Group | undefined;
}

export function groupQueue(largest: { segmentRows: number; segmentBytes: number }): GroupQueue {
  const queue: Group[] = [];
  let bytes = 0;

  function gathering(rows: number): Group {
    const last = queue.at(-1);
    if (last && last.rows + rows <= largest.segmentRows && last.bytes < largest.segmentBytes) return last;
    const group = { rows: 0, bytes: 0, lines: new Map<string, string[]>(), urgent: false, durable: deferred() };
    // Appenders get the rejection; this only keeps an ignored one from ending the process.
    group.durable.promise.catch(() => {});
    queue.push(group);
    return group;
  }

  return {
    add(table, rows, urgent) {
      const group = gathering(rows.length);
      group.urgent ||= urgent;
      let lines = group.lines.get(table);
      if (!lines) group.lines.set(table, (lines = []));
      let added = 0;
      for (const row of rows) {
        lines.push(row);
        added += row.length;
      }
      group.rows += rows.length;
      group.bytes += added;
      bytes += added;
      return group.durable.promise;
    },
    take() {
      const group = queue.shift();
      bytes -= group?.bytes ?? 0;
      return group;
    },
    isEmpty: () => queue.length === 0,
    isUrgent: () => queue.length > 1 || queue[0]?.urgent === true,
    urge() {
      for (const group of queue) group.urgent = true;
    },
    bytes: () => bytes,
    newest: () => queue.at(-1),
  };
}

export const framesOf = ({ lines }: Group): Frame[] =>
  [...lines].map(([table, rows]) => ({ table, count: rows.length, rows: Buffer.from(`${rows.join("\n")}\n`) }));
