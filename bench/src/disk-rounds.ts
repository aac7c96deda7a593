import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../server/src/platform/http/free-port.ts";
import { fillDisk, smallDisk } from "../../server/src/platform/testing/small-disk.ts";
import { type Kept, countKept } from "./count-kept.ts";
import { segmentFiles } from "../../server/src/platform/journal/segment-files.ts";
import { startPlatform } from "./platform-process.ts";
import { startSender, untilAcknowledged } from "./stubborn-sender.ts";

export interface DiskOutcome extends Kept {
  /** By round: the refused beacons, and the time from freed space to the next acknowledgement. */
  rounds: { refused: number; backMs: number }[];
}

const SECRET = "the-bench-signs-its-beacons-with-this";
const APP_ID = 1;
const LOAD = { devices: 16, everyMs: 25, retryAfterMs: 100 };
const DISK_MIB = 900;
/** How long the disk stays full after the first refusal. */
const FULL_FOR_MS = 1500;
const REFUSES_WITHIN_MS = 20_000;
const MAX_RESTARTS = 3;

/**
 * Repeatedly fills the platform's disk and frees it, while senders retry every 100 ms, and then counts everything. Null if this
 * user cannot mount a disk.
 */
export async function runDiskRounds(rounds: number, say: (line: string) => void): Promise<DiskOutcome | null> {
  const disk = smallDisk(DISK_MIB);
  if (!disk) return null;
  const dataDir = join(disk.dir, "data");
  const ballast = join(disk.dir, "ballast");
  const env = { MILLRACE_SECRET: SECRET, PORT: String(await freePort("127.0.0.1")), LOG_LEVEL: "silent" };
  const start = () => startPlatform({ dataDir, env });
  let platform = await start();
  try {
    const sender = startSender(platform.port, { secret: SECRET, appId: APP_ID, ...LOAD });
    const done: DiskOutcome["rounds"] = [];
    for (let round = 0; round < rounds; round++) {
      await sleep(500 + Math.random() * 500);
      const before = sender.refusals();
      // The stores free space while they clean up, so the disk is refilled. Events are still accepted until the reserved
      // space is used up.
      let stayUntil = performance.now() + REFUSES_WITHIN_MS;
      while (performance.now() < stayUntil) {
        await fillDisk(ballast);
        if (sender.refusals() > before) stayUntil = Math.min(stayUntil, performance.now() + FULL_FOR_MS);
        await sleep(20);
      }
      const refused = sender.refusals() - before;
      await rm(ballast);
      const freeFrom = performance.now();
      await untilAcknowledged(sender.acknowledged);
      const backMs = performance.now() - freeFrom;
      done.push({ refused, backMs });
      say(
        `full disk ${round + 1}: ${refused} refusals, back after ${backMs.toFixed(0)} ms, ${sender.acknowledged.size} acknowledged`,
      );
    }
    await sender.finish();
    await platform.stop();
    // If the store is behind when the platform stops, the next start ships the rest of the journal.
    for (let restarts = 0; restarts < MAX_RESTARTS && (await isBehind(dataDir)); restarts++) {
      say("restarting to ship the rest of the journal");
      platform = await start();
      await platform.stop();
    }
    return { rounds: done, ...(await countKept(dataDir, sender.acknowledged)) };
  } finally {
    await platform.kill();
    disk.release();
  }
}

const isBehind = async (dataDir: string) => (await (await segmentFiles(join(dataDir, "journal"))).list()).length > 0;
