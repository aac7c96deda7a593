import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { keyringOf, signAd } from "../../server/src/areas/exchange/index.ts";
import { adFacts } from "./ad-facts.ts";
import { addressOf } from "./load.ts";

/** Sends beacons as devices do: what is not acknowledged is sent again, until it is. */
export interface StubbornSender {
  /** Auctions whose impression the platform has acknowledged. */
  acknowledged: ReadonlySet<string>;
  /** Makes no new beacons; resolves when the last one is acknowledged. */
  finish(): Promise<void>;
}

const AGAIN_AFTER_MS = 40;
const ANSWER_WITHIN_MS = 10_000;

/** So many devices at once, each with a beacon every `everyMs`. */
export function startSender(
  port: number,
  { secret, appId, devices, everyMs }: { secret: string; appId: number; devices: number; everyMs: number },
): StubbornSender {
  const keyring = keyringOf([secret]);
  const agent = new Agent({ keepAlive: true, maxSockets: devices });
  const acknowledged = new Set<string>();
  let made = 0;
  let finishing = false;

  async function device(): Promise<void> {
    while (!finishing) {
      const nth = made++;
      const facts = adFacts(appId, nth, Date.now());
      const path = `/beacon/impression?t=${signAd(keyring, facts).impression}`;
      while (!(await isTaken(agent, port, path, nth))) await sleep(AGAIN_AFTER_MS);
      acknowledged.add(facts.auctionId);
      await sleep(everyMs * (0.5 + Math.random()));
    }
  }

  const all = Promise.all(Array.from({ length: devices }, device));
  return {
    acknowledged,
    async finish() {
      finishing = true;
      await all;
      agent.destroy();
    },
  };
}

function isTaken(agent: Agent, port: number, path: string, nth: number): Promise<boolean> {
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
        response.once("close", () => resolve(response.statusCode === 200 && response.complete));
      },
    );
    call.once("timeout", () => call.destroy());
    call.once("error", () => resolve(false));
    call.end();
  });
}
