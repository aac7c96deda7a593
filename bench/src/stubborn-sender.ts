import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { keyringOf, signAd } from "../../server/src/areas/exchange/index.ts";
import { adFacts } from "./ad-facts.ts";
import { addressOf } from "./load.ts";

/** Sends beacons as devices do: what is not acknowledged is sent again, until it is. */
export interface StubbornSender {
  /** Auctions whose impression the platform has acknowledged. */
  acknowledged: ReadonlySet<string>;
  /** How many answers said that the beacon could not be kept. */
  refusals(): number;
  /** Makes no new beacons; resolves when the last one is acknowledged. */
  finish(): Promise<void>;
}

const ANSWER_WITHIN_MS = 10_000;

export interface Devices {
  secret: string;
  appId: number;
  devices: number;
  /** Each has a beacon as often as this, */
  everyMs: number;
  /** and sends it again after this. */
  againAfterMs: number;
}

/** So many devices at once. */
export function startSender(port: number, { secret, appId, devices, everyMs, againAfterMs }: Devices): StubbornSender {
  const keyring = keyringOf([secret]);
  const agent = new Agent({ keepAlive: true, maxSockets: devices });
  const acknowledged = new Set<string>();
  let made = 0;
  let refused = 0;
  let finishing = false;

  async function device(): Promise<void> {
    while (!finishing) {
      const nth = made++;
      const facts = adFacts(appId, nth, Date.now());
      const path = `/beacon/impression?t=${signAd(keyring, facts).impression}`;
      for (;;) {
        const status = await statusOf(agent, port, path, nth);
        if (status === 200) break;
        if (status === 503) refused++;
        await sleep(againAfterMs);
      }
      acknowledged.add(facts.auctionId);
      await sleep(everyMs * (0.5 + Math.random()));
    }
  }

  const all = Promise.all(Array.from({ length: devices }, device));
  return {
    acknowledged,
    refusals: () => refused,
    async finish() {
      finishing = true;
      await all;
      agent.destroy();
    },
  };
}

/** Null where no whole answer came. */
function statusOf(agent: Agent, port: number, path: string, nth: number): Promise<number | null> {
  return new Promise((resolve) => {
    const call = request(
      {
        agent,
        port,
        path,
        host: "127.0.0.1",
        timeout: ANSWER_WITHIN_MS,
        headers: { "user-agent": "Mozilla/5.0 (Linux; Android 14)", "x-forwarded-for": addressOf(nth) },
      },
      (response) => {
        response.resume();
        response.once("close", () => resolve(response.complete ? (response.statusCode ?? null) : null));
      },
    );
    call.once("timeout", () => call.destroy());
    call.once("error", () => resolve(null));
    call.end();
  });
}
