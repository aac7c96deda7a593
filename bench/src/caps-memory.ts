import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MemoryFrequencyCaps } from "../../server/src/areas/exchange/index.ts";

const DEVICES = 1_000_000;
const LIMITS = [
  { impressions: 3, per: "user", period: "day" },
  { impressions: 2, per: "user", period: "hour" },
] as const;
const NOON = Date.parse("2026-03-10T12:00:00Z");
const LIFE_MS = 30 * 60_000;

/** Shows an ad to each of a million devices: the memory that stays in use, and the time of an ad with its impression. */
export async function capsMemory(): Promise<{ bytes: number; micros: number }> {
  const caps = new MemoryFrequencyCaps();
  const nothing = async function* () {};
  caps.reserve(7, LIMITS, "0", NOON, NOON + LIFE_MS);
  await caps.restore(nothing, NOON);
  const devices = Array.from({ length: DEVICES }, (_, n) => spread(n));
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const used = () => {
    collect();
    return process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
  };
  const before = used();
  const began = performance.now();
  for (const device of devices) {
    const hold = caps.reserve(7, LIMITS, device, NOON, NOON + LIFE_MS);
    if (hold === null || !(await caps.shown(hold, LIMITS, NOON))) throw new Error("A first ad exceeds no cap");
  }
  const micros = ((performance.now() - began) * 1000) / DEVICES;
  const bytes = used() - before;
  // Still in use.
  if (caps.reserve(7, LIMITS, "1", NOON, NOON + LIFE_MS) === null || devices.length !== DEVICES)
    throw new Error("Nothing counted");
  return { bytes, micros };
}

/** Over 64 bits, as hashes are. */
const spread = (n: number): string => BigInt.asUintN(64, BigInt(n) * 0x9e3779b97f4a7c15n).toString();
