import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { BlockRefused } from "../../platform/journal/block.ts";
import { newDir, open } from "../../platform/journal/testing/memory-store.ts";
import { exposeJournal } from "./journal-metrics.ts";

test("the metrics say how much waits for a store that is away, for how long, and what it refused", async () => {
  let refuse: (error: Error) => void = () => undefined;
  const answer = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  const journal = await open(newDir(), () => answer);
  const registry = new Registry();
  exposeJournal(registry, journal);
  const read = async (name: string) =>
    (await registry.getSingleMetric(`millrace_journal_${name}`)?.get())?.values[0]?.value;
  expect(await read("segments")).toBe(0);
  expect(await read("oldest_seconds")).toBe(0);
  await journal.append("events", { id: 1 });
  const flushed = journal.flush(60_000);
  await expect.poll(() => read("segments")).toBe(1);
  expect(await read("bytes")).toBeGreaterThan(0);
  await expect.poll(() => read("oldest_seconds")).toBeGreaterThan(0.05);
  expect(await read("refused_files")).toBe(0);
  refuse(new BlockRefused(new Error("unknown column")));
  await flushed;
  expect([await read("segments"), await read("oldest_seconds"), await read("refused_files")]).toEqual([0, 0, 1]);
});
