import { Agent, request as httpRequest } from "node:http";
import type { sdkAd, sdkInit, sdkPing, BodyInput, Reply } from "@millrace/contract";
import type { DemoDevice } from "./draw-device.ts";

/** The exchange as a device sees it. Calls give null when there is no use in asking again; they never throw. */
export interface SdkClient {
  init(device: DemoDevice, body: BodyInput<typeof sdkInit>): Promise<Reply<typeof sdkInit> | null>;
  ad(device: DemoDevice, body: BodyInput<typeof sdkAd>): Promise<Reply<typeof sdkAd> | null>;
  ping(device: DemoDevice, body: BodyInput<typeof sdkPing>): Promise<void>;
  /** Fires a beacon; kept and tried again while the exchange is away, as the SDK does. */
  beacon(device: DemoDevice, url: string): Promise<void>;
  /** What came of the calls so far. */
  counts(): ClientCounts;
  close(): void;
}

export interface ClientCounts {
  requests: number;
  ads: number;
  beacons: number;
  failures: number;
}

const TIMEOUT_MS = 10_000;
/** Pauses before a beacon is tried again; then it is given up. */
const RETRY_AFTER_MS = [1000, 2000, 5000, 15_000, 30_000, 60_000];
/** Beacons that may wait at once: an exchange that is away for long must not fill our memory. */
const MOST_WAITING = 2000;

interface Answer {
  status: number;
  body: string;
}

/** The demo's devices share one machine: these headers name the address of each, and prove that it may be believed. */
export const DEMO_ADDRESS_HEADER = "x-millrace-demo-address";
export const DEMO_KEY_HEADER = "x-millrace-demo-key";

/** Speaks the SDK's protocol to the exchange at `baseUrl` over kept-alive connections. */
export function sdkClient(baseUrl: string, deviceKey: string): SdkClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const counts: ClientCounts = { requests: 0, ads: 0, beacons: 0, failures: 0 };
  const waiting = new Set<NodeJS.Timeout>();
  let closed = false;

  const send = (device: DemoDevice, method: "GET" | "POST", path: string, body?: string): Promise<Answer | null> =>
    new Promise((resolve) => {
      counts.requests += 1;
      const failed = () => {
        counts.failures += 1;
        resolve(null);
      };
      const asked = httpRequest(
        new URL(path, baseUrl),
        {
          method,
          agent,
          timeout: TIMEOUT_MS,
          headers: {
            accept: "application/json",
            "user-agent": device.userAgent,
            [DEMO_KEY_HEADER]: deviceKey,
            [DEMO_ADDRESS_HEADER]: device.address,
            ...(body === undefined
              ? {}
              : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
          },
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (part: string) => (text += part));
          response.on("error", failed);
          response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }));
        },
      );
      asked.on("timeout", () => asked.destroy(new Error("timeout")));
      asked.on("error", failed);
      asked.end(body);
    });

  const call = async <T>(device: DemoDevice, path: string, body: unknown): Promise<T | null> => {
    const answer = await send(device, "POST", path, JSON.stringify(body));
    if (answer === null) return null;
    if (answer.status !== 200) {
      counts.failures += 1;
      return null;
    }
    return JSON.parse(answer.body) as T;
  };

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        waiting.delete(timer);
        resolve();
      }, ms);
      waiting.add(timer);
    });

  return {
    init: (device, body) => call(device, "/sdk/v1/init", body),
    ad: async (device, body) => {
      const answer = await call<Reply<typeof sdkAd>>(device, "/sdk/v1/ad", body);
      if ((answer?.ads.length ?? 0) > 0) counts.ads += 1;
      return answer;
    },
    ping: async (device, body) => void (await call(device, "/sdk/v1/ping", body)),
    beacon: async (device, url) => {
      // The platform's public address may lie behind a proxy that is not reachable from here.
      const { pathname, search } = new URL(url);
      for (const retryAfterMs of [...RETRY_AFTER_MS, null]) {
        const answer = await send(device, "GET", pathname + search);
        if (answer !== null && answer.status < 500) {
          counts.beacons += 1;
          return;
        }
        if (retryAfterMs === null || closed || waiting.size >= MOST_WAITING) return;
        await pause(retryAfterMs);
      }
    },
    counts: () => ({ ...counts }),
    close: () => {
      closed = true;
      for (const timer of waiting) clearTimeout(timer);
      waiting.clear();
      agent.destroy();
    },
  };
}
