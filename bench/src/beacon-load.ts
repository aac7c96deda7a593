import { keyringOf, signAd } from "../../server/src/areas/exchange/index.ts";
import { adFacts } from "./ad-facts.ts";
import { serveParent } from "./child.ts";
import { addressOf, getOf, runLoad } from "./load.ts";
import { percentile } from "./quantiles.ts";

/** What the load is asked for: make so many beacons, or send the next ones of those. */
export type BeaconOrder =
  | { do: "make"; beacons: number; secret: string; appId: number }
  | { do: "send"; port: number; beacons: number; connections: number; perSecond?: number };

export interface BeaconRun {
  /** Beacons that were answered with success: they are durable, says the platform. */
  acknowledged: number;
  tookMs: number;
  p50Ms: number;
  p99Ms: number;
}

let made: Buffer[] = [];
let sent = 0;

/** Beacons of ads as the exchange signs them: each of an auction and a device of its own. */
function make({ beacons, secret, appId }: Extract<BeaconOrder, { do: "make" }>): void {
  const keyring = keyringOf([secret]);
  const now = Date.now();
  made = Array.from({ length: beacons }, (_, nth) => {
    const { impression } = signAd(keyring, adFacts(appId, nth, now));
    return getOf(`/beacon/impression?t=${impression}`, `X-Forwarded-For: ${addressOf(nth)}\r\n`);
  });
  sent = 0;
}

async function send({
  port,
  beacons,
  connections,
  perSecond,
}: Extract<BeaconOrder, { do: "send" }>): Promise<BeaconRun> {
  const batch = made.slice(sent, sent + beacons);
  if (batch.length < beacons) throw new Error("more beacons are asked for than were made");
  sent += beacons;
  const { latenciesMs, statuses, tookMs } = await runLoad({
    port,
    connections,
    total: beacons,
    request: (nth) => batch[nth] as Buffer,
    ...(perSecond !== undefined && { perSecond }),
  });
  return {
    acknowledged: statuses[200] ?? 0,
    tookMs,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
  };
}

serveParent({}, async (order: BeaconOrder) => {
  if (order.do === "send") return send(order);
  make(order);
  return {};
});
