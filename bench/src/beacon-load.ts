import { keyringOf, signAd } from "../../server/src/areas/exchange/index.ts";
import { adFacts } from "./ad-facts.ts";
import { serveParent } from "./child.ts";
import { addressOf, getOf, postOf, runLoad } from "./load.ts";
import { percentile } from "./quantiles.ts";

/** What the load is asked for: make so many beacons, each alone or so many together, or send the next ones of those. */
export type BeaconOrder =
  | { do: "make"; beacons: number; secret: string; appId: number; perBatch?: number }
  | { do: "send"; port: number; beacons: number; connections: number; perSecond?: number };

export interface BeaconRun {
  /** Beacons that were answered with success: they are durable, says the platform. */
  acknowledged: number;
  tookMs: number;
  p50Ms: number;
  p99Ms: number;
}

let made: Buffer[] = [];
let beaconsEach = 1;
let sent = 0;

/** Beacons of ads as the exchange signs them: each of an auction and a device of its own. */
function make({ beacons, secret, appId, perBatch }: Extract<BeaconOrder, { do: "make" }>): void {
  const keyring = keyringOf([secret]);
  const now = Date.now();
  const token = (nth: number) => signAd(keyring, adFacts(appId, nth, now)).impression;
  beaconsEach = perBatch ?? 1;
  made = Array.from({ length: beacons / beaconsEach }, (_, nth) => {
    if (perBatch === undefined) {
      return getOf(`/beacon/impression?t=${token(nth)}`, `X-Forwarded-For: ${addressOf(nth)}\r\n`);
    }
    const events = Array.from({ length: perBatch }, (_, at) => ({
      type: "impression",
      token: token(nth * perBatch + at),
    }));
    return postOf("/sdk/v1/events", JSON.stringify({ events }), nth);
  });
  sent = 0;
}

async function send({
  port,
  beacons,
  connections,
  perSecond,
}: Extract<BeaconOrder, { do: "send" }>): Promise<BeaconRun> {
  const requests = made.slice(sent, sent + beacons / beaconsEach);
  if (requests.length * beaconsEach < beacons) throw new Error("more beacons are asked for than were made");
  sent += requests.length;
  let accepted = 0;
  const { latenciesMs, statuses, tookMs } = await runLoad({
    port,
    connections,
    total: requests.length,
    request: (nth) => requests[nth] as Buffer,
    ...(perSecond !== undefined && { perSecond }),
    ...(beaconsEach > 1 && {
      onAnswer: (_, status, body) => {
        if (status === 200) accepted += body().split('"accepted"').length - 1;
      },
    }),
  });
  return {
    acknowledged: beaconsEach > 1 ? accepted : (statuses[200] ?? 0),
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
