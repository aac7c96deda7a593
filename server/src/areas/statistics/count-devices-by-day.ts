import { daysIn, eachDay } from "@millrace/units";
import type { AskStore } from "./ask-store.ts";
import { countDevices } from "./count-devices.ts";
import { type Scope, bindScope } from "./scope.ts";

/** Distinct devices of each day that has any. What is known of days that are over is not counted again, whichever range they are asked in. */
export async function countDevicesByDay(ask: AskStore, scope: Scope): Promise<Map<string, number>> {
  const { ds: _ds, de: _de, ...filters } = bindScope(scope);
  const ofDay = (day: string) => `${JSON.stringify(filters)} ${day}`;
  const devices = new Map<string, number>();
  const missing: string[] = [];
  for (const day of eachDay(scope.range)) {
    const known = ask.byDay.get(ofDay(day));
    if (known && ask.closed.holds(known.askedAtMs)) devices.set(day, known.devices);
    else missing.push(day);
  }
  const [ds, de = ds] = [missing[0], missing.at(-1)];
  if (ds !== undefined && de !== undefined) {
    const range = { ds, de };
    const askedAtMs = performance.now();
    const closed = missing.filter((day) => ask.closed.isOver(day));
    const only = missing.length < daysIn(range) ? missing : undefined;
    const found = await countDevices(ask, { ...scope, range }, "date", { only });
    for (const [day, count] of found) devices.set(day, count);
    for (const day of closed) ask.byDay.set(ofDay(day), { askedAtMs, devices: found.get(day) ?? 0 });
  }
  return new Map([...devices].filter(([, count]) => count > 0));
}
