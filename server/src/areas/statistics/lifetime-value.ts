import { ltvMicros } from "@millrace/units";
import type { Numbers } from "./numbers.ts";

const ALL_APPS = 0;

/** What a device has brought in its life: of all the scope's apps together, and of each. Days and filters change nothing of it. */
export async function lifetimeValue(
  numbers: Numbers,
): Promise<{ total: number | null; devices: number; byApp: { appId: number; ltv: number | null; devices: number }[] }> {
  const lifetimes = await numbers.lifetimes();
  const all = lifetimes.get(ALL_APPS);
  return {
    total: all ? ltvMicros(all.revenueMicros, all.devices) : null,
    devices: all?.devices ?? 0,
    byApp: [...lifetimes]
      .filter(([appId]) => appId !== ALL_APPS)
      .map(([appId, { revenueMicros, devices }]) => ({ appId, ltv: ltvMicros(revenueMicros, devices), devices })),
  };
}
