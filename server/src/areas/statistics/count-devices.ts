import { daysIn, eachDay } from "@millrace/units";
import type { AskStore } from "./ask-store.ts";
import { LOTS, type Plan, type Sample, isEnough, planSamples, scaledUp } from "./sampling.ts";
import { type Scope, bindScope } from "./scope.ts";
import type { SumsGroup } from "./sums.stat.ts";
import { bindSamples, uniquesStats } from "./uniques.stat.ts";

/**
 * Distinct devices of each group by its key: exactly in groups of up to 10,000, within 2% in larger ones. How many lots
 * a group needs is known from the last time that as many days were asked for; where that proves too few, or nothing is
 * known, one lot is counted first. `keepMs`: how long answers may be given again, where it is not as long as others.
 */
export async function countDevices(
  ask: AskStore,
  scope: Scope,
  group: SumsGroup,
  keepMs?: number,
): Promise<Map<string, number>> {
  const params = bindScope(scope);
  const { inOneLot, counted } = uniquesStats(scope, group);
  const { ds: _ds, de: _de, ...filters } = params;
  const alike = `${counted.name} ${daysIn(scope.range)} ${JSON.stringify(filters)}`;
  const count = async (plan: Plan) => {
    const rows = await ask(counted, { ...params, ...bindSamples(plan) }, keepMs);
    return countsBy(plan, new Map(rows.map(({ id, uniques }) => [id, uniques])));
  };
  const known = ask.plans.get(alike);
  const asBefore = known && (await count(group === "date" ? forDays(known, scope) : known));
  if (asBefore?.sure) {
    ask.plans.set(alike, planSamples(asBefore.inALot));
    return asBefore.devices;
  }
  const inALot =
    asBefore?.inALot ?? new Map((await ask(inOneLot, params, keepMs)).map(({ id, uniques }) => [id, uniques] as const));
  const plan = planSamples(inALot);
  let counts = await count(plan);
  // So unlucky a lot is rare, and then nothing is left to chance.
  if (!counts.sure) counts = await count(new Map());
  ask.plans.set(alike, planSamples(counts.inALot));
  return counts.devices;
}

/** What was found, as numbers of all devices and of those in a lot; `sure` where no sample was too small. */
function countsBy(plan: Plan, found: ReadonlyMap<string, number>) {
  const lotsOf = new Map([...plan].flatMap(([sample, ids]) => ids.map((id) => [id, sample] as const)));
  const all = [...found].map(([id, count]) => ({ id, count, lots: lotsOf.get(id) ?? LOTS }));
  return {
    devices: new Map(all.map(({ id, count, lots }) => [id, scaledUp(count, lots)])),
    inALot: new Map(all.map(({ id, count, lots }) => [id, count / lots])),
    sure: [...lotsOf].every(([id, lots]) => isEnough(found.get(id) ?? 0, lots)),
  };
}

/** Other days of the same apps are about as large: what the smallest of the known ones needed is enough for most. */
function forDays(known: Plan, { range }: Scope): Plan {
  const most = Math.max(0, ...known.keys()) as Sample | 0;
  return most === 0 ? new Map() : new Map([[most, eachDay(range)]]);
}
