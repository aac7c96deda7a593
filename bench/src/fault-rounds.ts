import { readFileSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../server/src/platform/http/free-port.ts";
import { type Kept, countKept } from "./count-kept.ts";
import { type PlatformProcess, startPlatform } from "./platform-process.ts";
import { startSender, untilAcknowledged, within } from "./stubborn-sender.ts";

export const VICTIMS = ["platform", "PostgreSQL", "chDB"] as const;
export type Victim = (typeof VICTIMS)[number];

export interface FaultOutcome extends Kept {
  /** The first start of the platform, with nothing to recover. */
  startMs: number;
  rounds: { victim: Victim; backMs: number }[];
}

const SECRET = "the-bench-signs-its-beacons-with-this";
const APP_ID = 1;
const LOAD = { devices: 16, everyMs: 25, retryAfterMs: 40 };

/** Kills the platform and its child processes in turn while beacons arrive, and then counts everything. */
export async function runFaultRounds(rounds: number, say: (line: string) => void): Promise<FaultOutcome> {
  const dataDir = await mkdtemp(join(tmpdir(), "millrace-faults-"));
  const env = { MILLRACE_SECRET: SECRET, PORT: String(await freePort("127.0.0.1")), LOG_LEVEL: "silent" };
  const start = () => startPlatform({ dataDir, env });
  let platform = await start();
  const startMs = platform.readyMs;
  try {
    const sender = startSender(platform.port, { secret: SECRET, appId: APP_ID, ...LOAD });
    const done: FaultOutcome["rounds"] = [];
    for (let round = 0; round < rounds; round++) {
      const victim = VICTIMS[round % VICTIMS.length] ?? "platform";
      await sleep(200 + Math.random() * 800);
      const killedAt = performance.now();
      if (victim === "platform") {
        await platform.kill();
        platform = await start();
      } else {
        await killChild(victim, platform, dataDir);
      }
      await untilAcknowledged(sender.acknowledged);
      const backMs = performance.now() - killedAt;
      done.push({ victim, backMs });
      say(`round ${round + 1}: ${victim} back after ${backMs.toFixed(0)} ms, ${sender.acknowledged.size} acknowledged`);
    }
    await sender.finish();
    await platform.stop();
    return { startMs, rounds: done, ...(await countKept(dataDir, sender.acknowledged)) };
  } finally {
    await platform.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Kills a child process and waits until the platform has replaced it and is ready. */
async function killChild(
  victim: Exclude<Victim, "platform">,
  platform: PlatformProcess,
  dataDir: string,
): Promise<void> {
  const pidOf = () => (victim === "chDB" ? chdbPid(platform.pid) : postgresPid(dataDir));
  const before = pidOf();
  if (before === undefined) throw new Error(`${victim} does not run`);
  process.kill(before, "SIGKILL");
  await within(async () => {
    const after = pidOf();
    return after !== undefined && after !== before && (await isReady(platform));
  }, `${victim} is back`);
}

async function isReady({ url }: PlatformProcess): Promise<boolean> {
  return (await fetch(`${url}/readyz`)).ok;
}

function postgresPid(dataDir: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(dataDir, "postgres/cluster/postmaster.pid"), "utf8"), 10);
  } catch {
    return undefined;
  }
}

/** The process id of the platform's chDB child (Linux only). */
function chdbPid(platformPid: number): number | undefined {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => {
    try {
      const parent = /\nPPid:\t(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
      return parent === String(platformPid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("chdb-child");
    } catch {
      return false;
    }
  });
  return found === undefined ? undefined : Number(found);
}
