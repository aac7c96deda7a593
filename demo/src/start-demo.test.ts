import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { silentLog } from "../../server/src/platform/log.ts";
import { filesOnDisk } from "../../server/src/platform/files/stored-files.ts";
import { testStores } from "../../server/src/platform/testing/stores.ts";
import type { FromDemo, ToDemo } from "./messages.ts";
import { startDemo } from "./start-demo.ts";
import { contractExchange } from "./testing/contract-exchange.ts";

const stores = await testStores();
const filesDir = await mkdtemp(join(tmpdir(), "demo-files-"));
const files = filesOnDisk(filesDir);
afterAll(() => rm(filesDir, { recursive: true }));

async function until(what: string, holds: () => boolean | Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > deadline) expect.fail(`not in time: ${what}`);
    await pause(50);
  }
}

async function endpoint(): Promise<string> {
  const { rows } = await stores.pg.pool.query<{ endpoint: string }>(
    "SELECT endpoint FROM partners WHERE id = 'lab-steady'",
  );
  return rows[0]?.endpoint ?? expect.fail("no such partner");
}
const answers = async (url: string) => {
  const answer = await fetch(url, { method: "POST", body: "{}" }).catch(() => null);
  return answer?.status === 400;
};

test("the demo starts, restarts after its process is killed, and stops", async () => {
  const exchange = await contractExchange(1);
  const demo = await startDemo({
    postbacksOf: async () => ({ path: "/postback/nobody", secret: "none" }),
    pool: stores.pg.pool,
    files,
    clickhouseUrl: stores.clickhouse.url,
    exchangeUrl: exchange.url,
    deviceKey: "a-key",
    seed: "test",
    hashPassword: async (password) => `hash of ${password}`,
    revenueSharePpm: 800_000,
    log: silentLog,
    historyDays: 1,
    pace: 40,
  });
  expect(demo.logins).toHaveLength(3);
  expect(demo.logins[0]?.password).toMatch(/^[a-z2-9]{12}$/);
  const lab = await endpoint();
  expect(await answers(lab)).toBe(true);
  await until("history is written", () => demo.progress() === 1);
  await until("devices come", () => exchange.received.some(({ path }) => path === "/sdk/v1/init"));

  const pid = demo.pid() ?? expect.fail("no process");
  process.kill(pid, "SIGKILL");
  await until("it is started again", () => demo.pid() !== undefined && demo.pid() !== pid);
  await until("the lab is back where it was", () => answers(lab));
  expect(await endpoint()).toBe(lab);
  const before = exchange.received.length;
  await until("devices come again", () => exchange.received.length > before + 5);

  await demo.stop();
  expect(demo.pid()).toBeUndefined();
  expect(await answers(lab)).toBe(false);
  expect(exchange.faults).toEqual([]);
  await exchange.stop();
}, 300_000);

test("the demo's process exits when the pipe from its parent closes", async () => {
  const child = fork(fileURLToPath(new URL("main.ts", import.meta.url)), {
    execArgv: ["--import", import.meta.resolve("tsx")],
    stdio: ["pipe", "inherit", "inherit", "ipc"],
  });
  child.send({ kind: "open-lab", seed: "test", port: 0 } satisfies ToDemo);
  const [said] = (await once(child, "message")) as [FromDemo];
  expect(said.kind).toBe("lab");
  child.stdin?.destroy();
  const [code] = (await once(child, "exit")) as [number];
  expect(code).toBe(0);
});
