import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { connectClickHouse } from "../clickhouse/connect-clickhouse.ts";
import { connectPostgres } from "../postgres/connect-postgres.ts";
import { sleep } from "../waiting.ts";

const root = mkdtempSync(join(tmpdir(), "millrace-kill-"));
const dir = join(root, "data");
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Started = { pgUrl: string; chUrl: string; chPid: number; startMs: number };

/** A process that acts as the platform towards the stores: it locks the directory and starts both. */
const program = join(root, "platform.mts");
const source = (path: string): string => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));
writeFileSync(
  program,
  `import { openDataDir } from ${source("../data-dir.ts")};
   import { startPostgres } from ${source("../postgres/start-postgres.ts")};
   import { startChdb } from ${source("../clickhouse/start-chdb.ts")};
   const dir = process.argv[2];
   const log = () => undefined;
   const began = performance.now();
   await openDataDir(dir);
   const [pg, ch] = await Promise.all([startPostgres({ dir: dir + "/postgres", log }), startChdb({ dir: dir + "/clickhouse", log })]);
   process.send({ pgUrl: pg.url, chUrl: ch.url, chPid: ch.pid(), startMs: performance.now() - began });`,
);
const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

function platform(): ChildProcess {
  return spawn(process.execPath, ["--import", tsx, program, dir], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
}
async function started(child: ChildProcess): Promise<Started> {
  const [message] = (await once(child, "message")) as [Started];
  return message;
}
const postmaster = (): number =>
  Number.parseInt(readFileSync(join(dir, "postgres/cluster/postmaster.pid"), "utf8"), 10);
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie counts as gone: its parent has not collected it yet.
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

test.runIf(process.platform === "linux")(
  "a killed platform ends both child processes, and the next start finds all data",
  async () => {
    const startsMs: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const child = platform();
      const { pgUrl, chUrl, chPid, startMs } = await started(child);
      startsMs.push(startMs);
      const pg = connectPostgres(pgUrl);
      const ch = connectClickHouse(chUrl, { retryDeadlineMs: 0 });
      if (round === 0) {
        await pg.pool.query("create table t (n int)");
        await ch.write.command({ query: "CREATE TABLE t (n Int32) ENGINE = MergeTree ORDER BY n" });
      }
      await pg.pool.query("insert into t values ($1)", [round]);
      await ch.write.insert({ table: "t", values: [{ n: round }], format: "JSONEachRow" });
      expect((await pg.pool.query("select n from t")).rowCount).toBe(round + 1);
      const found = await ch.read.query({ query: "SELECT n FROM t", format: "JSONEachRow" });
      expect(await found.json()).toHaveLength(round + 1);
      // Running work must not keep the children alive.
      const busy = [
        pg.pool.query("select pg_sleep(30)").catch(() => undefined),
        ch.read.query({ query: "SELECT sum(sipHash64(number)) FROM numbers(1000000000000)" }).catch(() => undefined),
      ];
      await sleep(100);

      const pgPid = postmaster();
      expect([isAlive(pgPid), isAlive(chPid)]).toEqual([true, true]);
      child.kill("SIGKILL");
      const killed = performance.now();
      await expect.poll(() => isAlive(pgPid) || isAlive(chPid), { timeout: 5_000, interval: 20 }).toBe(false);
      expect(performance.now() - killed).toBeLessThan(2_000);
      await Promise.all(busy);
      await Promise.all([pg.close(), ch.close()]);
    }
    expect(Math.max(...startsMs.slice(1))).toBeLessThan(10_000);
  },
  60_000,
);

test("a second platform on the directory refuses to start and does not touch the stores", async () => {
  const first = platform();
  const { pgUrl } = await started(first);
  const second = platform();
  let said = "";
  second.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
  await once(second, "exit");
  expect(said).toContain(`The data directory ${dir} is in use by another platform (process ${first.pid})`);
  const pg = connectPostgres(pgUrl);
  expect((await pg.pool.query("select count(*) from t")).rows).toEqual([{ count: "4" }]);
  await pg.close();
  first.kill("SIGKILL");
  await once(first, "exit");
}, 30_000);

test("a first start that is killed at any moment leaves a directory that starts", async () => {
  rmSync(dir, { recursive: true });
  for (const afterMs of [250, 450, 700]) {
    const child = platform();
    const ended = once(child, "exit");
    await sleep(afterMs);
    expect(child.exitCode).toBeNull();
    child.kill("SIGKILL");
    await ended;
  }
  const child = platform();
  const { pgUrl } = await started(child);
  const pg = connectPostgres(pgUrl);
  expect((await pg.pool.query("select current_database() as name")).rows).toEqual([{ name: "millrace" }]);
  await pg.close();
  child.kill("SIGKILL");
  await once(child, "exit");
}, 60_000);
