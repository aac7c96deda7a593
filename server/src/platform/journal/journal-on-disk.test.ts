import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Problem } from "../http/problem.ts";
import { type SegmentFiles, segmentFiles } from "./segment-files.ts";
import { decodeFrames, encodeFrame } from "./segment-format.ts";
import { filesIn, ids, memoryStore, newDir, open, upTo } from "./testing/memory-store.ts";

// Faults of disks and crashes.

type Append = Awaited<ReturnType<SegmentFiles["create"]>>["append"];

/** The same files, but for how they append. */
const appending = (
  real: SegmentFiles,
  instead: (append: Append, ...written: Parameters<Append>) => ReturnType<Append>,
): SegmentFiles => ({
  ...real,
  create: async (name) => {
    const file = await real.create(name);
    return { ...file, append: (...written) => instead((...given) => file.append(...given), ...written) };
  },
});

test("a full disk refuses rows and keeps every promise; when space returns rows are taken again", async () => {
  const real = await segmentFiles(newDir());
  let full = false;
  const noSpace = () => Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  const files = appending(real, async (append, buffers) => {
    if (!full) return append(buffers);
    // A full disk first takes a part of the write: the worst case, because that part could be read as rows.
    await append(buffers.slice(0, -1));
    throw noSpace();
  });
  const store = memoryStore();
  const journal = await open(files, store.ship, { limits: { segmentMs: 60_000 } });
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
  const files = appending(real, async (append, buffers) => {
    await append(buffers);
    if (broken) throw Object.assign(new Error("input/output error"), { code: "EIO" });
  });
  const store = memoryStore();
  const journal = await open(files, store.ship);
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
  const first = await open(dir, store.ship, { limits: { gatherMs: 0 } });
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

test("files are reused, and their former content is never read, not even after a crash", async () => {
  const dir = newDir();
  const store = memoryStore();
  const journal = await open(dir, store.ship, { limits: { segmentMs: 60_000 } });
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
  const next = await open(dir, afterCrash.ship);
  await next.flush();
  expect(ids(afterCrash.rows("events"))).toEqual([id - 1]);
  expect(ids(store.rows("events"))).toEqual(upTo(id - 1));
});

test("a segment cut to nothing is no trouble", async () => {
  const dir = newDir();
  const store = memoryStore();
  store.down = true;
  const first = await open(dir, store.ship);
  await first.append("events", { id: 0 });
  await first.close(0);
  truncateSync(join(dir, filesIn(dir)[0] ?? ""), 0);
  store.down = false;
  const second = await open(dir, store.ship);
  await second.flush();
  await second.close();
  expect([store.rows("events"), filesIn(dir)]).toEqual([[], []]);
});
