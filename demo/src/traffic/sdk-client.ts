import { Agent, request as httpRequest } from "node:http";
import type { sdkAd, sdkEvents, sdkInit, sdkPing, BodyInput, Reply } from "@millrace/contract";
import type { DemoDevice } from "./draw-device.ts";

/** The exchange's API for devices. Calls never throw; they resolve to null if they failed. */
export interface SdkClient {
  init(device: DemoDevice, body: BodyInput<typeof sdkInit>): Promise<Reply<typeof sdkInit> | null>;
  ad(device: DemoDevice, body: BodyInput<typeof sdkAd>): Promise<Reply<typeof sdkAd> | null>;
  ping(device: DemoDevice, body: BodyInput<typeof sdkPing>): Promise<void>;
  /** Sends events in a batch. */
  tell(device: DemoDevice, events: BodyInput<typeof sdkEvents>["events"]): Promise<void>;
  /** Sends a beacon, and retries while the exchange is down, as the SDK does. */
  beacon(device: DemoDevice, url: string): Promise<void>;
  /** Follows a link and returns where it leads; null if nowhere. */
  follow(device: DemoDevice, url: string): Promise<string | null>;
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
/** The pauses before each retry of a beacon. After the last one, it is dropped. */
const RETRY_AFTER_MS = [1000, 2000, 5000, 15_000, 30_000, 60_000];
/** Limits the beacons that wait for a retry, so that a long outage does not fill the memory. */
const MAX_WAITING = 2000;

interface Answer {
  status: number;
  location: string | null;
  body: string;
}

/** The demo's devices share one machine. These headers carry a device's address, and the key that makes the exchange trust it. */
export const DEMO_ADDRESS_HEADER = "x-millrace-demo-address";
export const DEMO_KEY_HEADER = "x-millrace-demo-key";

/** Calls the exchange at `baseUrl` over keep-alive connections. */
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
      const outgoing = httpRequest(
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
          response.on("end", () => {
            const { location = null } = response.headers;
            resolve({ status: response.statusCode ?? 0, location, body: text });
          });
        },
      );
      outgoing.on("timeout", () => outgoing.destroy(new Error("timeout")));
      outgoing.on("error", failed);
      outgoing.end(body);
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
    tell: async (device, events) => void (await call(device, "/sdk/v1/events", { events })),
    beacon: async (device, url) => {
      // The public address may be a proxy that is not reachable from here.
      const { pathname, search } = new URL(url);
      for (const retryAfterMs of [...RETRY_AFTER_MS, null]) {
        const answer = await send(device, "GET", pathname + search);
        if (answer !== null && answer.status < 500) {
          counts.beacons += 1;
          return;
        }
        if (retryAfterMs === null || closed || waiting.size >= MAX_WAITING) return;
        await pause(retryAfterMs);
      }
    },
    follow: async (device, url) => {
      const { pathname, search } = new URL(url, baseUrl);
      return (await send(device, "GET", pathname + search))?.location ?? null;
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
