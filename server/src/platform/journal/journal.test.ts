import { spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { Problem } from "../http/problem.ts";
import { silentLog } from "../log.ts";
import { type Journal, type JournalLimits, openJournal, openJournalOn } from "./journal.ts";
import { type SegmentFiles, segmentFiles } from "./segment-files.ts";
import { decodeFrames, encodeFrame } from "./segment-format.ts";
import { type Block, BlockRefused } from "./block.ts";

interface Row {
  id: number;
}

/** A store that keeps each token's block once, as the analytical store does. */
function memoryStore() {
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

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function newDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "journal-"));
  ends.push(() => rm(dir, { recursive: true }));
  return dir;
}

async function open(
  dir: string,
  ship: (block: Block) => Promise<void>,
  limits: Partial<JournalLimits> = {},
): Promise<Journal> {
  const journal = await openJournal(dir, { ship, log: silentLog, limits });
  ends.push(() => journal.close(0));
  return journal;
}

/** What holds rows, or may; files that wait for their next use do not. */
const filesIn = (dir: string) => readdirSync(dir).filter((file) => !file.endsWith(".spare"));
const ids = (rows: Row[]) => rows.map(({ id }) => id).toSorted((a, b) => a - b);
const upTo = (count: number) => Array.from({ length: count }, (_, id) => id);

test("what is appended reaches the store once, each table as one block of a segment", async () => {
  const store = memoryStore();
  const journal = await open(newDir(), store.ship, { segmentMs: 60_000 });
  await Promise.all(upTo(300).map((id) => journal.append(id % 2 === 0 ? "events" : "auctions", { id })));
  await journal.flush();
  expect(ids([...store.rows("events"), ...store.rows("auctions")])).toEqual(upTo(300));
  expect(store.blocks().map(({ table, count }) => [table, count])).toEqual([
    ["events", 150],
    ["auctions", 150],
  ]);
});

test("a segment is shipped on its own a moment after its first row, and its file goes", async () => {
  const dir = newDir();
  const store = memoryStore();
  const journal = await open(dir, store.ship, { segmentMs: 50 });
  await journal.append("events", { id: 0 });
  await expect.poll(() => store.rows("events").length, { timeout: 3000 }).toBe(1);
  await expect.poll(() => journal.backlog()).toEqual({ segments: 0, bytes: 0 });
  await journal.close();
  expect(filesIn(dir)).toEqual([]);
});

test("rows that nobody waits for go to the disk with those that somebody does, or a moment later", async () => {
  const store = memoryStore();
  const patient = ["auctions"];
  const journal = await openJournal(newDir(), {
    ship: store.ship,
    log: silentLog,
    patient,
    limits: { patientMs: 1500 },
  });
  ends.push(() => journal.close(0));
  const began = performance.now();
  await journal.append("auctions", { id: 0 });
  expect(performance.now() - began).toBeGreaterThan(1400);

  const again = performance.now();
  const alone = journal.append("auctions", { id: 1 });
  await Promise.all([journal.append("events", { id: 2 }), alone]);
  expect(performance.now() - again).toBeLessThan(1400);

  const last = performance.now();
  void journal.append("auctions", { id: 3 });
  await journal.flush();
  expect(performance.now() - last).toBeLessThan(1400);
  expect(ids([...store.rows("auctions"), ...store.rows("events")])).toEqual([0, 1, 2, 3]);
});

test("no block is larger than a segment may be", async () => {
  const store = memoryStore();
  const journal = await open(newDir(), store.ship, { segmentRows: 70, segmentMs: 60_000 });
  await Promise.all(upTo(1000).map((id) => journal.append("events", { id })));
  await journal.flush();
  expect(ids(store.rows("events"))).toEqual(upTo(1000));
  expect(Math.max(...store.blocks().map(({ count }) => count))).toBeLessThanOrEqual(70);
});

test("while the store is down appends go on; later everything is there, in order, under the tokens first tried", async () => {
  const store = memoryStore();
  const journal = await open(newDir(), store.ship, { segmentMs: 10 });
  store.down = true;
  for (const id of upTo(5)) {
    await journal.append("events", { id });
    await sleep(25);
  }
  expect(journal.backlog().segments).toBeGreaterThan(1);
  await expect(journal.flush(50)).rejects.toMatchObject({ code: "unavailable" });
  store.down = false;
  await journal.flush();
  expect(store.rows("events").map(({ id }) => id)).toEqual(upTo(5));
  expect(new Set(store.calls).size).toBe(store.blocks().length);
});

test("what was not shipped at a stop is shipped at the next start, and can be read before", async () => {
  const dir = newDir();
  const store = memoryStore();
  store.down = true;
  const first = await openJournal(dir, { ship: store.ship, log: silentLog });
  await first.append("events", { id: 7 });
  await first.close(20);
  await expect(first.append("events", { id: 8 })).rejects.toMatchObject({ code: "unavailable" });

  const second = await open(dir, store.ship);
  const left = [];
  for await (const row of second.leftovers("events")) left.push(row);
  expect(left).toEqual([{ id: 7 }]);
  store.down = false;
  await second.flush();
  expect(store.rows("events")).toEqual([{ id: 7 }]);
});

test("a stop ships what is there when the store takes it", async () => {
  const store = memoryStore();
  const journal = await openJournal(newDir(), { ship: store.ship, log: silentLog, limits: { segmentMs: 60_000 } });
  const appended = journal.append("events", { id: 1 });
  await journal.close();
  await appended;
  expect(store.rows("events")).toEqual([{ id: 1 }]);
});

test("a block that the store can never take is set aside, and the rest goes on", async () => {
  const dir = newDir();
  const store = memoryStore();
  const journal = await open(dir, async (block) => {
    if (block.table === "odd") throw new BlockRefused(new Error("unknown column"));
    await store.ship(block);
  });
  await Promise.all([journal.append("odd", { id: 1 }), journal.append("events", { id: 2 })]);
  await journal.flush();
  await journal.append("events", { id: 3 });
  await journal.flush();
  expect(ids(store.rows("events"))).toEqual([2, 3]);
  await journal.close();
  expect(filesIn(dir)).toEqual([expect.stringMatching(/\.refused$/)]);
});

test("one row that the store can never take costs itself alone, also when the store goes away in between", async () => {
  const dir = newDir();
  const store = memoryStore();
  let calls = 0;
  const journal = await open(dir, async (block) => {
    if (/"id":(13|77)\b/.test(block.rows.toString())) throw new BlockRefused(new Error("unreadable"));
    if (++calls === 3) throw new Error("connection refused");
    await store.ship(block);
  });
  await Promise.all(upTo(100).map((id) => journal.append("events", { id })));
  await journal.flush();
  expect(ids(store.rows("events"))).toEqual(upTo(100).filter((id) => id !== 13 && id !== 77));
  expect(filesIn(dir).filter((name) => name.endsWith(".refused"))).toHaveLength(1);
});

test("a store that is slow gets fewer and larger blocks, not a queue that grows", async () => {
  const store = memoryStore();
  const slowly = async (block: Block) => {
    await sleep(150);
    await store.ship(block);
  };
  const journal = await open(newDir(), slowly, { segmentMs: 10 });
  let longest = 0;
  for (const id of upTo(40)) {
    await journal.append("events", { id });
    await sleep(20);
    longest = Math.max(longest, journal.backlog().segments);
  }
  await journal.flush();
  expect(ids(store.rows("events"))).toEqual(upTo(40));
  expect(longest).toBeLessThanOrEqual(3);
});

test("a backlog has an end: beyond it rows are refused, and taken again once the store has caught up", async () => {
  const store = memoryStore();
  store.down = true;
  const journal = await open(newDir(), store.ship, { segmentMs: 1, backlogBytes: 200 });
  await journal.append("events", { id: 0, text: "x".repeat(300) });
  await expect.poll(() => journal.backlog().segments).toBe(1);
  await expect(journal.append("events", { id: 1 })).rejects.toMatchObject({ status: 503 });
  store.down = false;
  await expect.poll(() => journal.backlog().bytes, { timeout: 3000 }).toBe(0);
  await journal.append("events", { id: 2 });
});

test("a full disk refuses rows and keeps every promise; when space returns rows are taken again", async () => {
  const real = await segmentFiles(newDir());
  let full = false;
  const noSpace = () => Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  const files: SegmentFiles = {
    ...real,
    create: async (name) => {
      const file = await real.create(name);
      return {
        ...file,
        append: async (buffers) => {
          if (!full) return file.append(buffers);
          // A full disk takes a part first: the worst case, which would be read as rows if it stayed.
          await file.append(buffers.slice(0, -1));
          throw noSpace();
        },
      };
    },
  };
  const store = memoryStore();
  const journal = await openJournalOn(files, { ship: store.ship, log: silentLog, limits: { segmentMs: 60_000 } });
  ends.push(() => journal.close(0));
  await journal.append("events", { id: 0 });
  full = true;
  const refused = await Promise.allSettled([1, 2].map((id) => journal.append("events", { id })));
  expect(refused.map((result) => result.status === "rejected" && (result.reason as Problem).code)).toEqual([
    "unavailable",
    "unavailable",
  ]);
  full = false;
  await journal.append("events", { id: 3 });
  await journal.flush();
  expect(ids(store.rows("events"))).toEqual([0, 3]);
});

test("a row whose sync failed was refused, so it is not counted either", async () => {
  const real = await segmentFiles(newDir());
  let broken = true;
  const files: SegmentFiles = {
    ...real,
    create: async (name) => {
      const file = await real.create(name);
      return {
        ...file,
        append: async (buffers) => {
          await file.append(buffers);
          if (broken) throw Object.assign(new Error("input/output error"), { code: "EIO" });
        },
      };
    },
  };
  const store = memoryStore();
  const journal = await openJournalOn(files, { ship: store.ship, log: silentLog });
  ends.push(() => journal.close(0));
  await expect(journal.append("events", { id: 0 })).rejects.toBeInstanceOf(Problem);
  broken = false;
  await journal.append("events", { id: 1 });
  await journal.flush();
  expect(store.rows("events")).toEqual([{ id: 1 }]);
});

test(
  "kill -9 in the middle of appends loses nothing acknowledged and counts nothing twice",
  { timeout: 60_000 },
  async () => {
    const dir = newDir();
    const acknowledgedFile = join(newDir(), "acknowledged");
    writeFileSync(acknowledgedFile, "");
    for (let round = 0; round < 10; round++) {
      const script = join(import.meta.dirname, "fixtures/append-until-killed.ts");
      const args = ["--import", "tsx", script, dir, acknowledgedFile, String(round * 1_000_000)];
      const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      const enough = statSync(acknowledgedFile).size + 1500 + round * 300;
      while (statSync(acknowledgedFile).size < enough && child.exitCode === null) await sleep(1);
      child.kill("SIGKILL");
      await ended;
    }
    const acknowledged = readFileSync(acknowledgedFile, "utf8").trimEnd().split("\n").map(Number);
    const store = memoryStore();
    const journal = await open(dir, store.ship);
    await journal.flush();
    const kept = [...ids(store.rows("events")), ...ids(store.rows("sessions"))];
    expect(new Set(kept).size).toBe(kept.length);
    const keptSet = new Set(kept);
    expect(acknowledged.length).toBeGreaterThan(2000);
    expect(acknowledged.filter((id) => !keptSet.has(id))).toEqual([]);
  },
);

test("a torn last line is left out, and everything before it counts", async () => {
  const dir = newDir();
  const store = memoryStore();
  store.down = true;
  const first = await openJournal(dir, { ship: store.ship, log: silentLog, limits: { gatherMs: 0 } });
  for (const id of upTo(3)) await first.append("events", { id });
  await first.close(0);
  const [name = ""] = filesIn(dir);
  appendFileSync(join(dir, name), 'events 1 12 99999\n{"id":');

  store.down = false;
  await (await open(dir, store.ship)).flush();
  expect(ids(store.rows("events"))).toEqual([0, 1, 2]);
});

test("wherever a crash cuts or spoils a segment, whole frames before the place survive and nothing else is read", () => {
  const row = fc.record({ table: fc.constantFrom("events", "auctions"), text: fc.string({ maxLength: 40 }) });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), fc.nat(), fc.boolean(), (rows, place, cut) => {
      const parts = rows.map(({ table, text }) =>
        Buffer.concat(encodeFrame("s", { table, count: 1, rows: Buffer.from(`${JSON.stringify({ text })}\n`) })),
      );
      const whole = Buffer.concat(parts);
      const at = place % whole.length;
      const damaged = cut ? whole.subarray(0, at) : Buffer.from(whole);
      if (!cut) damaged[at] = (damaged[at] ?? 0) ^ 1;
      let end = 0;
      const before = parts.filter((part) => (end += part.length) <= at).length;
      const texts = (content: Buffer) => decodeFrames("s", content).map((frame) => frame.rows.toString());
      expect(texts(damaged)).toEqual(texts(whole).slice(0, before));
    }),
  );
});

test("files are used again, and what they held before is never read, also not after a crash", async () => {
  const dir = newDir();
  const store = memoryStore();
  const journal = await open(dir, store.ship, { segmentMs: 60_000 });
  // Each segment is shorter than the one before, so its file ends with rows of earlier ones.
  let id = 0;
  for (const rows of [400, 200, 100, 50, 25, 12, 6, 3]) {
    await Promise.all(upTo(rows).map(() => journal.append("events", { id: id++ })));
    await journal.flush();
  }
  expect(readdirSync(dir).length).toBeLessThanOrEqual(4);
  store.down = true;
  await journal.append("events", { id: id++ });
  // No close: the next start finds what a crash would leave.
  const afterCrash = memoryStore();
  const next = await openJournal(dir, { ship: afterCrash.ship, log: silentLog });
  ends.push(() => next.close(0));
  await next.flush();
  expect(ids(afterCrash.rows("events"))).toEqual([id - 1]);
  expect(ids(store.rows("events"))).toEqual(upTo(id - 1));
});

test("a segment cut to nothing is no trouble", async () => {
  const dir = newDir();
  const store = memoryStore();
  store.down = true;
  const first = await openJournal(dir, { ship: store.ship, log: silentLog });
  await first.append("events", { id: 0 });
  await first.close(0);
  truncateSync(join(dir, filesIn(dir)[0] ?? ""), 0);
  store.down = false;
  const second = await open(dir, store.ship);
  await second.flush();
  await second.close();
  expect([store.rows("events"), filesIn(dir)]).toEqual([[], []]);
});
