import { expect, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { JournalBarrier } from "./journal-barrier.ts";

const pg = await testPostgres();

function barrier(name: string, ship: () => Promise<void> = async () => undefined) {
  const stopping = new AbortController();
  return {
    stopping,
    barrier: new JournalBarrier({ pool: pg.pool, name, ship, stopping: stopping.signal, log: silentLog }),
  };
}

test("waits until every process has shipped its journal", async () => {
  const shipped: string[] = [];
  const [one, two] = ["one", "two"].map((name) => barrier(name, async () => void shipped.push(name)).barrier);
  await Promise.all([one?.start(), two?.start()]);
  await one?.everyoneShipped();
  expect(new Set(shipped)).toEqual(new Set(["one", "two"]));
  await Promise.all([one?.stop(), two?.stop()]);
});

test("a process that stops does not wait for one that is down", async () => {
  await pg.pool.query("INSERT INTO exchange_processes (name) VALUES ('down')");
  const { barrier: one, stopping } = barrier("one");
  await one.start();
  const waiting = one.everyoneShipped();
  const began = performance.now();
  setTimeout(() => stopping.abort(), 200);
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  await one.stop();
  expect(performance.now() - began).toBeLessThan(5000);
});
