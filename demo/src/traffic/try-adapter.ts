import type { Reply, sdkAd } from "@millrace/contract";
import type { Random } from "../random.ts";
import type { DemoDevice } from "./draw-device.ts";
import type { SdkClient } from "./sdk-client.ts";

/** The adapter that the demo's devices have: how often it shows an ad, and what its seller pays for one, CPM in micro-dollars. */
export const DEMO_ADAPTER = {
  name: "OtherSdk",
  fills: 0.55,
  lowestMicros: 2_500_000,
  highestMicros: 5_500_000,
} as const;

type Step = NonNullable<Reply<typeof sdkAd>["steps"]>[number];
export type AdapterStep = Extract<Step, { type: "adapter" }>;

interface Trying {
  client: SdkClient;
  device: DemoDevice;
  random: Random;
}

/** Tries an adapter as an SDK would, and reports what it showed and paid, or that it showed nothing. True if it showed an ad. */
export async function tryAdapter({ client, device, random }: Trying, { beacons }: AdapterStep): Promise<boolean> {
  const tokenOf = (address: string) => new URL(address).searchParams.get("t") ?? "";
  if (!random.chance(DEMO_ADAPTER.fills)) {
    await client.tell(device, [{ type: "step", token: tokenOf(beacons.player), outcome: "no_fill" }]);
    return false;
  }
  const { lowestMicros, highestMicros } = DEMO_ADAPTER;
  const paid_micros = Math.round(lowestMicros + (highestMicros - lowestMicros) * random.next());
  await client.tell(device, [{ type: "impression", token: tokenOf(beacons.impression), paid_micros }]);
  return true;
}
