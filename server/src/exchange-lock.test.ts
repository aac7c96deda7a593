import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ExchangeLock } from "./exchange-lock.ts";
import { silentLog } from "./platform/log.ts";
import { testPostgres } from "./platform/testing/stores.ts";

const pg = await testPostgres();

function lockAt(postgresUrl: string, onLost: () => void = () => undefined): ExchangeLock {
  const lock = new ExchangeLock({ postgresUrl, isShared: false, log: silentLog, onLost, beatMs: 600, answerMs: 500 });
  onTestFinished(() => lock.release());
  return lock;
}

/** A firewall in front of PostgreSQL that can forget connections. The client hears nothing; PostgreSQL ends them, or hears nothing either. */
async function firewall(): Promise<{ url: string; forget(postgres: "ends it" | "keeps it"): void }> {
  const url = new URL(pg.url);
  // The port of an address that names none.
  const file = ".s.PGSQL.5432";
  const real = join(url.searchParams.get("host") ?? "", file);
  const dir = await mkdtemp(join(tmpdir(), "millrace-lock-"));
  url.searchParams.set("host", dir);
  const pairs: [Socket, Socket][] = [];
  const server = createServer((client) => {
    const store = connect(real);
    pairs.push([client, store]);
    client.on("error", () => store.destroy()).pipe(store);
    store.on("error", () => client.destroy()).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(join(dir, file), resolve));
  onTestFinished(async () => {
    for (const socket of pairs.flat()) socket.destroy();
    server.close();
    await rm(dir, { recursive: true });
  });
  return {
    url: url.href,
    forget(postgres) {
      for (const [client, store] of pairs.splice(0)) {
        client.unpipe().resume();
        store.unpipe().resume();
        if (postgres === "ends it") store.destroy();
        onTestFinished(() => void [client, store].map((socket) => socket.destroy()));
      }
    },
  };
}

test.each(["ends it", "keeps it"] as const)(
  "a process whose connection was lost, while PostgreSQL %s, takes the lock again if nobody else has it",
  async (postgres) => {
    const between = await firewall();
    let isLost = false;
    await lockAt(between.url, () => (isLost = true)).take();
    /** The connection that has the lock. */
    const holder = async () => {
      const { rows } = await pg.pool.query<{ pid: number }>(
        `SELECT pid FROM pg_locks JOIN pg_database ON oid = database
       WHERE locktype = 'advisory' AND granted AND datname = current_database()`,
      );
      return rows[0]?.pid;
    };
    const first = await holder();
    between.forget(postgres);
    await expect.poll(async () => ![undefined, first].includes(await holder())).toBe(true);
    expect(isLost).toBe(false);
  },
);

test("a process whose connection was silently dropped notices that another one has taken the lock", async () => {
  const between = await firewall();
  let isLost = false;
  await lockAt(between.url, () => (isLost = true)).take();
  between.forget("ends it");
  await lockAt(pg.url).take();
  await expect.poll(() => isLost).toBe(true);
});
