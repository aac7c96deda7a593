import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Block, BlockRefused } from "./block.ts";
import { filesIn, ids, memoryStore, newDir, open, upTo } from "./testing/memory-store.ts";

test("appended rows reach the store once, each table as one block of a segment", async () => {
  const store = memoryStore();
  const journal = await open(newDir(), store.ship, { limits: { segmentMs: 60_000 } });
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
  const journal = await open(dir, store.ship, { limits: { segmentMs: 50 } });
  await journal.append("events", { id: 0 });
  await expect.poll(() => store.rows("events").length).toBe(1);
  await expect.poll(() => journal.backlog()).toEqual({ segments: 0, bytes: 0 });
  await journal.close();
  expect(filesIn(dir)).toEqual([]);
});

test("rows that nobody waits for go to the disk with those that somebody does, or a moment later", async () => {
  const store = memoryStore();
  const patient = ["auctions"];
  const journal = await open(newDir(), store.ship, { patient, limits: { patientMs: 1500 } });
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
  const journal = await open(newDir(), store.ship, { limits: { segmentRows: 70, segmentMs: 60_000 } });
  await Promise.all(upTo(1000).map((id) => journal.append("events", { id })));
  await journal.flush();
  expect(ids(store.rows("events"))).toEqual(upTo(1000));
  expect(Math.max(...store.blocks().map(({ count }) => count))).toBeLessThanOrEqual(70);
});

test("rows appended together are one group of one block, kept or refused as one", async () => {
  const store = memoryStore();
  const journal = await open(newDir(), store.ship, { limits: { segmentRows: 100, segmentMs: 60_000 } });
  const some = (from: number) => upTo(40).map((id) => ({ id: from + id }));
  await Promise.all([0, 100, 200, 300, 400].map((from) => journal.appendAll("events", some(from))));
  await journal.flush();
  expect(store.rows("events")).toHaveLength(200);
  for (const { count } of store.blocks()) expect([40, 80]).toContain(count);
  expect(() =>
    journal.appendAll(
      "events",
      upTo(101).map((id) => ({ id })),
    ),
  ).toThrow(RangeError);
});

test("while the store is down appends go on; later everything is there, in order, under the tokens first tried", async () => {
  const store = memoryStore();
  const journal = await open(newDir(), store.ship, { limits: { segmentMs: 10 } });
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

test("rows not shipped at a stop are shipped at the next start, and can be read before", async () => {
  const dir = newDir();
  const store = memoryStore();
  store.down = true;
  const first = await open(dir, store.ship);
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

test("a stop ships the waiting rows if the store takes them", async () => {
  const store = memoryStore();
  const journal = await open(newDir(), store.ship, { limits: { segmentMs: 60_000 } });
  const appended = journal.append("events", { id: 1 });
  await journal.close();
  await appended;
  expect(store.rows("events")).toEqual([{ id: 1 }]);
});

test("a block that the store refuses is set aside, and the rest goes on", async () => {
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
  expect(journal.delays()).toEqual({ oldestMs: 0, refused: 1 });
});

test("one row that the store refuses costs itself alone, also when the store goes away in between", async () => {
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

test("refused rows are sent again at each start, none of the others twice, and count once the store takes them", async () => {
  const dir = newDir();
  const store = memoryStore();
  let refused = /"id":(13|77)\b/;
  const ship = async (block: Block) => {
    if (refused.test(block.rows.toString())) throw new BlockRefused(new Error("unreadable"));
    await store.ship(block);
  };
  const first = await open(dir, ship);
  await Promise.all(upTo(100).map((id) => first.append(id % 3 === 0 ? "auctions" : "events", { id })));
  await first.flush();
  await first.close();
  for (const stillRefused of [refused, /"id":77\b/, /never/]) {
    refused = stillRefused;
    expect(filesIn(dir)).toEqual([expect.stringMatching(/-r\d\.refused$/)]);
    const next = await open(dir, ship);
    await next.flush();
    await next.close();
  }
  expect(filesIn(dir)).toEqual([]);
  expect(ids([...store.rows("events"), ...store.rows("auctions")])).toEqual(upTo(100));
});

test("a process that died after setting rows aside counts none of their segment twice", async () => {
  const dir = newDir();
  const store = memoryStore();
  let isRefused = true;
  const ship = async (block: Block) => {
    if (isRefused && block.rows.toString().includes('"id":3}')) throw new BlockRefused(new Error("unreadable"));
    await store.ship(block);
  };
  const first = await open(dir, ship);
  await Promise.all(upTo(8).map((id) => first.append("events", { id })));
  const kept = () => filesIn(dir).filter((name) => name.endsWith(".segment"));
  const content = await Promise.all(kept().map(async (name) => [name, await readFile(join(dir, name))] as const));
  await first.flush();
  await first.close();
  // The segment is as it was before its file was released.
  for (const [name, bytes] of content) await writeFile(join(dir, name), bytes);
  isRefused = false;
  const second = await open(dir, ship);
  await second.flush();
  expect(ids(store.rows("events"))).toEqual(upTo(8));
});

test("a store that is slow gets fewer and larger blocks, not a queue that grows", async () => {
  const store = memoryStore();
  const slowly = async (block: Block) => {
    await sleep(150);
    await store.ship(block);
  };
  const journal = await open(newDir(), slowly, { limits: { segmentMs: 10 } });
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
  const journal = await open(newDir(), store.ship, { limits: { segmentMs: 1, backlogBytes: 200 } });
  await journal.append("events", { id: 0, text: "x".repeat(300) });
  await expect.poll(() => journal.backlog().segments).toBe(1);
  await expect(journal.append("events", { id: 1 })).rejects.toMatchObject({ status: 503 });
  store.down = false;
  await expect.poll(() => journal.backlog().bytes).toBe(0);
  await journal.append("events", { id: 2 });
});
