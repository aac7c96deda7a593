import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../server/src/platform/http/free-port.ts";
import { fillDisk, smallDisk } from "../../server/src/platform/testing/small-disk.ts";
import { type Kept, countKept } from "./count-kept.ts";
import { segmentFiles } from "../../server/src/platform/journal/segment-files.ts";
import { startPlatform } from "./platform-process.ts";
import { startSender } from "./stubborn-sender.ts";
import { untilAcknowledged } from "./until.ts";

export interface DiskOutcome extends Kept {
  /** Of each round: beacons that were refused, and the time from the first free space to the next acknowledgement. */
  rounds: { refused: number; backMs: number }[];
}

const SECRET = "the-bench-signs-its-beacons-with-this";
const APP_ID = 1;
const LOAD = { devices: 16, everyMs: 25, againAfterMs: 100 };
const DISK_MIB = 900;
/** After its first refusal. */
const STAYS_FULL_MS = 1500;
const REFUSES_WITHIN_MS = 20_000;
const MOST_STARTS = 3;

/**
 * Fills the disk below the platform and frees it again while beacons come, whose senders try again every 100 ms; then
 * everything is counted. Null where this user may not mount a disk.
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
      // The stores give space back while they tidy up: it is taken from them again. Until what they have reserved is used
      // up, events are kept as ever.
      let stayUntil = performance.now() + REFUSES_WITHIN_MS;
      while (performance.now() < stayUntil) {
        await fillDisk(ballast);
        if (sender.refusals() > before) stayUntil = Math.min(stayUntil, performance.now() + STAYS_FULL_MS);
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
    // A platform that stops while its store is still behind leaves the rest to its next start.
    for (let starts = 0; starts < MOST_STARTS && (await isBehind(dataDir)); starts++) {
      say("the rest of the journal is shipped by another start");
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
