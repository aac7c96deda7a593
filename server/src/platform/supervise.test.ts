import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { StartError } from "./start-error.ts";
import { supervise, type SuperviseOptions } from "./supervise.ts";
import { sleep } from "./waiting.ts";

/** A child that reports ready and ends on request, unless `program` differs. */
function options(
  program: string,
  extra: Partial<SuperviseOptions> = {},
): SuperviseOptions & { lines: string[]; starts: number } {
  const own = {
    name: "the child",
    lines: [] as string[],
    starts: 0,
    log: (line: string) => void own.lines.push(line),
    spawn(): ChildProcess {
      own.starts += 1;
      return spawn(process.execPath, ["-e", program], { stdio: ["pipe", "pipe", "pipe", "ipc"] });
    },
    ready: async (child: ChildProcess) => void (await once(child, "message")),
    askToStop: (child: ChildProcess) => child.stdin?.end(),
    ...extra,
  };
  return own;
}
const wellBehaved = `console.log("hello"); process.send("ready"); process.stdin.on("end", () => process.exit(0)).resume();`;

test("a child is ready when it says so, its lines are passed on, and it ends when asked", async () => {
  const own = options(wellBehaved);
  const child = await supervise(own);
  await expect.poll(() => own.lines).toContain("hello");
  const pid = child.pid();
  await child.stop();
  expect(child.pid()).toBeUndefined();
  expect(() => process.kill(pid ?? 0, 0)).toThrow("ESRCH");
});

test("a child that dies is restarted, even repeatedly", async () => {
  const own = options(wellBehaved);
  const child = await supervise(own);
  for (let round = 2; round <= 4; round += 1) {
    process.kill(child.pid() ?? 0, "SIGKILL");
    await expect.poll(() => own.starts).toBe(round);
    await expect.poll(() => child.pid()).toBeDefined();
  }
  expect(own.lines.join()).toContain("ended unexpectedly (signal SIGKILL)");
  await child.stop();
  expect(own.starts).toBe(4);
});

test("a first start that fails is a StartError with the child's last output", async () => {
  const start = supervise(options(`console.error("no such disk"); process.exit(3)`));
  await expect(start).rejects.toBeInstanceOf(StartError);
  await expect(start).rejects.toThrow("the child did not start (exit code 3). Its last output: no such disk");
  const missing = supervise(options("", { spawn: () => spawn("/no/such/program", { stdio: "pipe" }) }));
  await expect(missing).rejects.toThrow("cannot be run");
  const silent = supervise(options("setInterval(() => {}, 1000)", { readyTimeoutMs: 200 }));
  await expect(silent).rejects.toThrow("not ready after 0.2 s");
});

test("a child that does not end when asked is killed", async () => {
  const own = options(`process.send("ready"); setInterval(() => {}, 1000)`, { stopTimeoutMs: 200 });
  const child = await supervise(own);
  await child.stop();
  expect(own.lines.join()).toContain("did not end within 0.2 s and is killed");
});

test("a stop while the child is down or starting leaves no child behind", async () => {
  for (const pauseMs of [0, 5, 30, 60]) {
    const own = options(wellBehaved);
    const pids = new Set<number>();
    const inner = own.spawn.bind(own);
    own.spawn = async () => {
      await sleep(10);
      const started = await inner();
      if (started.pid !== undefined) pids.add(started.pid);
      return started;
    };
    const child = await supervise(own);
    process.kill(child.pid() ?? 0, "SIGKILL");
    await sleep(pauseMs);
    await child.stop();
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  }
});
