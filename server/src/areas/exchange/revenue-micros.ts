import { impressionMicros, revenueShareMicros } from "@millrace/units";

/** The publisher's revenue for one impression at a CPM: the share of its price, in whole micro-dollars. */
export function revenueMicros(cpmMicros: number, sharePpm: number): number {
  return revenueShareMicros(impressionMicros(cpmMicros), sharePpm);
}
