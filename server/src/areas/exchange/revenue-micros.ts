import { impressionMicros, revenueShareMicros } from "@millrace/units";

/** What the publisher gets for one impression at a CPM: the share of its price, in whole micro-dollars. */
export function revenueMicros(cpmMicros: number, sharePpm: number): number {
  return revenueShareMicros(impressionMicros(cpmMicros), sharePpm);
}
