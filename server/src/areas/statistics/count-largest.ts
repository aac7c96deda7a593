import type { AskStore } from "./ask-store.ts";
import { countDevices, sizesInOneBucket } from "./count-devices.ts";
import { largest } from "./sampling.ts";
import type { Scope } from "./scope.ts";
import type { SumsGroup } from "./sums.stat.ts";

/**
 * Distinct devices of the groups that have the most, and perhaps of some others: of those that can be among the first so
 * many. Most groups are small, and counting the small ones whole is what costs.
 */
export async function countLargest(
  ask: AskStore,
  scope: Scope,
  group: SumsGroup,
  many: number,
): Promise<Map<string, number>> {
  const expected = await sizesInOneBucket(ask, scope, group);
  return countDevices(ask, scope, group, { only: largest(expected, many), expected });
}
