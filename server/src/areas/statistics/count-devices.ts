import type { AskStore } from "./ask-store.ts";
import { LOTS, planSamples, scaledUp } from "./sampling.ts";
import { type Scope, bindScope } from "./scope.ts";
import type { SumsGroup } from "./sums.stat.ts";
import { bindSamples, uniquesStats } from "./uniques.stat.ts";

/** Distinct devices of each group by its key: exactly in groups of up to 50,000 or so, within 2% in larger ones. */
export async function countDevices(ask: AskStore, scope: Scope, group: SumsGroup): Promise<Map<string, number>> {
  const params = bindScope(scope);
  const { inOneLot, counted } = uniquesStats(scope, group);
  const first = await ask(inOneLot, params);
  const plan = planSamples(new Map(first.map(({ id, uniques }) => [id, uniques])));
  const lotsOf = new Map([...plan].flatMap(([sample, ids]) => ids.map((id) => [id, sample] as const)));
  const rows = await ask(counted, { ...params, ...bindSamples(plan) });
  return new Map(rows.map(({ id, uniques }) => [id, scaledUp(uniques, lotsOf.get(id) ?? LOTS)]));
}
