import { once } from "node:events";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { type Log, silentLog } from "../log.ts";
import { testStores } from "../testing/stores.ts";
import { type Jobs, openJobs } from "./index.ts";
import type { JobsDeps } from "./jobs.ts";

const stores = await testStores();
const { pool } = stores.pg;
const Note = z.strictObject({ note: z.string() });
const FAST = { pollMs: 50, superviseSeconds: 1, abandonedAfterSeconds: 1 };

const open: Jobs[] = [];
afterEach(async () => {
  for (const jobs of open.splice(0)) await jobs.stop(200);
  await pool.query("DELETE FROM pgboss.job");
});

function newJobs(more: Partial<JobsDeps> = {}): Jobs {
  const jobs = openJobs({ pool, log: silentLog, timing: FAST, ...more });
  open.push(jobs);
  return jobs;
}

/** Collects log lines. */
function notebook(): { log: Log; lines: { level: string; message: string; facts: object }[] } {
  const lines: { level: string; message: string; facts: object }[] = [];
  const at = (level: string) => (facts: object, message: string) => void lines.push({ level, message, facts });
  return { lines, log: { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") } };
}

const kept = async (queue: string): Promise<number> => {
  const { rows } = await pool.query<{ count: string }>("SELECT count(*) FROM pgboss.job WHERE name = $1", [queue]);
  return Number(rows[0]?.count);
};

test("a job runs immediately with its data, and leaves nothing behind", async () => {
  const ran: string[] = [];
  const jobs = newJobs({ timing: { pollMs: 60_000 } });
  jobs.define("runs", Note, async ({ note }) => void ran.push(note));
  await jobs.start();
  await pause(100);
  await jobs.send("runs", { note: "a" });
  await jobs.send("runs", { note: "b" });
  await expect.poll(() => ran, { timeout: 3000 }).toEqual(["a", "b"]);
  await expect.poll(() => kept("runs")).toBe(0);
});

test("a repeated job runs at the start and then at its interval, with at most one waiting", async () => {
  let runs = 0;
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const platforms = [newJobs(), newJobs()];
  for (const jobs of platforms) {
    jobs.define("repeats", Note, async () => {
      runs++;
      await held;
    });
    jobs.repeat("repeats", { note: "again" }, 0.1);
    await jobs.start();
  }
  await expect.poll(() => runs).toBe(2);
  await pause(500);
  expect(await kept("repeats")).toBe(3); // Two run, one on each platform, and one waits behind them.
  release();
  await expect.poll(() => runs).toBeGreaterThan(4);
  expect(() => platforms[0]?.repeat("repeats", { note: "late" }, 1)).toThrow("before the start");
});

test("a failing job is retried until it succeeds", async () => {
  const { log, lines } = notebook();
  let tries = 0;
  const jobs = newJobs({ log });
  jobs.define(
    "stumbles",
    Note,
    async () => {
      if (++tries < 2) throw new Error("not yet");
    },
    { retryDelaySeconds: 1 },
  );
  await jobs.start();
  await jobs.send("stumbles", { note: "a" });
  await expect.poll(() => tries).toBe(2);
  await expect.poll(() => kept("stumbles")).toBe(0);
  expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual(["warn a job failed and will be retried"]);
});

test("a failing job waits longer after each try, and is logged as failed after the last", async () => {
  const { log, lines } = notebook();
  const at: number[] = [];
  const jobs = newJobs({ log });
  jobs.define(
    "fails",
    Note,
    async () => {
      at.push(performance.now());
      throw new Error("never");
    },
    { retryLimit: 2, retryDelaySeconds: 1 },
  );
  await jobs.start();
  await jobs.send("fails", { note: "secret text" });
  await expect.poll(() => lines.at(-1)?.message).toBe("a job failed permanently");
  expect(at).toHaveLength(3);
  // Doubled and stretched by chance: 1 to 2 s, then 2 to 4 s.
  expect(at[1]! - at[0]!).toBeGreaterThan(950);
  expect(at[2]! - at[1]!).toBeGreaterThan(1950);
  await expect.poll(() => kept("fails")).toBe(0);
  expect(JSON.stringify(lines)).not.toContain("secret text");
}, 30_000);

test("by default a job is retried three times", async () => {
  const jobs = newJobs();
  jobs.define("usual", Note, async () => undefined);
  await jobs.start();
  await jobs.send("usual", { note: "a" }, { startAfterSeconds: 60 });
  const { rows } = await pool.query("SELECT retry_limit, retry_backoff FROM pgboss.job WHERE name = 'usual'");
  expect(rows).toEqual([{ retry_limit: 3, retry_backoff: true }]);
});

test("platforms that start at the same time do not block each other", async () => {
  const platforms = Array.from({ length: 3 }, () => newJobs());
  for (const jobs of platforms) {
    for (let nth = 0; nth < 5; nth++) jobs.define(`many-${nth}`, Note, async () => undefined);
  }
  await expect(Promise.all(platforms.map((jobs) => jobs.start()))).resolves.toHaveLength(3);
  const { rows } = await pool.query("SELECT name FROM pgboss.queue WHERE name LIKE 'many-%'");
  expect(rows).toHaveLength(5);
});

test("invalid job data is refused when it is sent, naming the field and not its value", async () => {
  const jobs = newJobs();
  jobs.define("checks", Note, async () => undefined);
  await jobs.start();
  await expect(jobs.send("checks", { note: 42_424 })).rejects.toThrow(/^Wrong data for a job of checks: note$/);
  await expect(jobs.send("checks", { note: "a", more: 1 })).rejects.toThrow(TypeError);
  await expect(jobs.send("elsewhere", { note: "a" })).rejects.toThrow('There is no queue "elsewhere"');
  expect(await kept("checks")).toBe(0);
});

test("a job with outdated data is dropped and logged, and never run", async () => {
  const { log, lines } = notebook();
  let runs = 0;
  const before = newJobs();
  before.define("changes", z.object({}), async () => undefined);
  await before.start();
  await before.send("changes", { old: true }, { startAfterSeconds: 1 });
  await before.stop();
  const after = newJobs({ log });
  after.define("changes", Note, async () => void runs++);
  await after.start();
  await expect.poll(() => lines.at(-1)?.message).toBe("a job with wrong data is dropped");
  await expect.poll(() => kept("changes")).toBe(0);
  expect(runs).toBe(0);
});

test("a delayed job does not start early", async () => {
  const ran: number[] = [];
  const jobs = newJobs();
  jobs.define("later", Note, async () => void ran.push(performance.now()));
  await jobs.start();
  const sent = performance.now();
  await jobs.send("later", { note: "a" }, { startAfterSeconds: 1 });
  await expect.poll(() => ran.length).toBe(1);
  expect(ran[0]! - sent).toBeGreaterThan(990);
});

test("two platforms on one store run each job once", async () => {
  const ran: number[] = [];
  const running = new Set<number>();
  let overlaps = 0;
  const run = async ({ nth }: { nth: number }) => {
    if (running.has(nth)) overlaps++;
    running.add(nth);
    await pause(5);
    running.delete(nth);
    ran.push(nth);
  };
  const platforms = [newJobs(), newJobs()];
  for (const jobs of platforms) {
    jobs.define("shared", z.object({ nth: z.int() }), run, { concurrency: 2 });
    await jobs.start();
  }
  await Promise.all(Array.from({ length: 60 }, (_, nth) => platforms[nth % 2]!.send("shared", { nth })));
  await expect.poll(() => kept("shared")).toBe(0);
  expect(ran.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, nth) => nth));
  expect(overlaps).toBe(0);
});

test("a job that exceeds its time limit is retried, but not while it is still running", async () => {
  const { log, lines } = notebook();
  let running = 0;
  let most = 0;
  let runs = 0;
  const run = async () => {
    runs++;
    most = Math.max(most, ++running);
    if (runs === 1) await pause(4000);
    running--;
  };
  for (const jobs of [newJobs({ log }), newJobs({ log })]) {
    jobs.define("slow", Note, run, { expireInSeconds: 1, retryDelaySeconds: 1, retryLimit: 5 });
    await jobs.start();
  }
  await open[0]!.send("slow", { note: "a" });
  await expect.poll(() => kept("slow"), { timeout: 20_000 }).toBe(0);
  expect([runs, most]).toEqual([2, 1]);
  expect(lines.map(({ facts }) => String((facts as { err?: unknown }).err))).toContain(
    "Error: It took longer than 1 s",
  );
}, 30_000);

test("a job whose platform is killed is run again by another", async () => {
  const source = fileURLToPath(new URL("testing/endless-job.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", source, stores.pg.url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  expect(said.toString()).toBe("running\n");
  const ran: string[] = [];
  const { log, lines } = notebook();
  const jobs = newJobs({ log });
  jobs.define("endless", Note, async ({ note }) => void ran.push(note), { retryDelaySeconds: 1 });
  await jobs.start();
  await pause(2500);
  // It still runs elsewhere.
  expect([ran, lines]).toEqual([[], []]);
  child.kill("SIGKILL");
  await once(child, "exit");
  await expect.poll(() => ran).toEqual(["from the killed"]);
  expect(lines.map(({ message }) => message)).toEqual(["retrying a job whose platform ended"]);
}, 30_000);

test("a job that is running when its platform stops is left to the next platform, even on its last try", async () => {
  let end: (() => void) | undefined;
  const jobs = newJobs();
  jobs.define("handed-on", Note, () => new Promise((resolve) => (end = resolve)), { retryLimit: 0 });
  await jobs.start();
  await jobs.send("handed-on", { note: "a" });
  await expect.poll(() => end).toBeDefined();
  await jobs.stop(100);
  const { rows } = await pool.query("SELECT state FROM pgboss.job WHERE name = 'handed-on'");
  expect(rows).toEqual([{ state: "retry" }]);
  end?.();
  // It has ended in the meantime, so there is nothing left to do.
  await expect.poll(() => kept("handed-on")).toBe(0);
});

test("a job continues, and runs nowhere else, while its platform loses every connection to the store", async () => {
  let end = (): void => undefined;
  let runs = 0;
  const { log, lines } = notebook();
  const run = () => {
    runs++;
    return new Promise<void>((resolve) => (end = resolve));
  };
  const start = async () => {
    const jobs = newJobs({ log });
    jobs.define("lonely", Note, run, { retryDelaySeconds: 1 });
    await jobs.start();
    return jobs;
  };
  await (await start()).send("lonely", { note: "a" });
  await expect.poll(() => runs, { timeout: 3000 }).toBe(1);
  await pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  const locks = async () => {
    const { rows } = await pool.query<{ held: number }>(
      `SELECT count(*)::int AS held FROM pg_locks JOIN pg_database d ON d.oid = database
       WHERE locktype = 'advisory' AND granted AND d.datname = current_database()`,
    );
    return rows[0]?.held;
  };
  await expect.poll(locks, { timeout: 10_000 }).toBe(1);
  await pause(1200);
  // Looks at once for jobs without a runner.
  await start();
  await pause(2500);
  end();
  await expect.poll(() => kept("lonely"), { timeout: 5000 }).toBe(0);
  expect([runs, lines.filter(({ level }) => level === "error")]).toEqual([1, []]);
});

test("duplicate queue names and late definitions are errors", async () => {
  const jobs = newJobs();
  jobs.define("once-only", Note, async () => undefined);
  expect(() => jobs.define("once-only", Note, async () => undefined)).toThrow("two queues");
  expect(() => jobs.define("No name", Note, async () => undefined)).toThrow("is not a valid queue name");
  await expect(jobs.send("once-only", { note: "a" })).rejects.toThrow("after the start");
  await jobs.start();
  expect(() => jobs.define("late", Note, async () => undefined)).toThrow("before the start");
});
