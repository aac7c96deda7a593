import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { keyringOf, signAd } from "../../server/src/areas/exchange/index.ts";
import { adFacts } from "./ad-facts.ts";
import { addressOf } from "./load.ts";

/** Sends beacons like devices, and retries each until it is acknowledged. */
export interface StubbornSender {
  /** The auctions whose impression the platform has acknowledged. */
  acknowledged: ReadonlySet<string>;
  /** The number of answers with status 503. */
  refusals(): number;
  /** Stops creating beacons, and resolves when the last one is acknowledged. */
  finish(): Promise<void>;
}

const ANSWER_WITHIN_MS = 10_000;
const RECOVERED_WITHIN_MS = 30_000;

export interface Devices {
  secret: string;
  appId: number;
  devices: number;
  /** The mean pause between the beacons of a device. */
  everyMs: number;
  /** The pause before a retry. */
  retryAfterMs: number;
}

export function startSender(port: number, { secret, appId, devices, everyMs, retryAfterMs }: Devices): StubbornSender {
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
        await sleep(retryAfterMs);
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

/** The status of the answer; null without a complete one. */
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

/** Waits until another beacon is acknowledged. */
export async function untilAcknowledged(acknowledged: ReadonlySet<string>): Promise<void> {
  const before = acknowledged.size;
  await within(async () => acknowledged.size > before, "a beacon is acknowledged");
}

/** Polls a condition, and throws if it does not hold within 30 s. */
export async function within(holds: () => Promise<boolean>, what: string): Promise<void> {
  const from = performance.now();
  while (!(await holds())) {
    if (performance.now() - from > RECOVERED_WITHIN_MS) {
      throw new Error(`Not within ${RECOVERED_WITHIN_MS / 1000} s: ${what}`);
    }
    await sleep(20);
  }
}
