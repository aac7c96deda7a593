import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { sdkAd, sdkEvents, sdkInit, sdkPing } from "@millrace/contract";
import type { Call, Format } from "@millrace/contract";
import type { ZodType } from "zod";
import { DEMO_ADDRESS_HEADER } from "../traffic/sdk-client.ts";

/** A call from a device, checked against the contract. */
export interface ReceivedCall {
  path: string;
  address: string;
  userAgent: string;
  body: unknown;
  atMs: number;
}

export interface ContractExchange {
  url: string;
  received: ReceivedCall[];
  /** Violations of the contract. */
  faults: string[];
  /** While true, every call is answered with 503. */
  down: boolean;
  /** The number of calls answered with 503. */
  refused: number;
  stop(): Promise<void>;
}

const CALLS = new Map<string, Call & { body: ZodType }>(
  [sdkInit, sdkAd, sdkPing, sdkEvents].map((call) => [call.path, call]),
);

/**
 * A minimal exchange for testing the demo's devices: it answers as the contract allows and records the calls. The real
 * exchange is tested in its own area.
 */
export async function contractExchange(pingSeconds: number): Promise<ContractExchange> {
  const self: Omit<ContractExchange, "url" | "stop"> = { received: [], faults: [], down: false, refused: 0 };
  let url = "";

  const answer = (path: string, body: unknown): unknown => {
    if (path === sdkInit.path) {
      return sdkInit.reply.parse({
        session: randomUUID(),
        session_timeout_seconds: 1800,
        latest_sdk_version: "1.0.0",
        formats: ["banner"],
        zones: [],
        ping_seconds: pingSeconds,
      });
    }
    if (path === sdkPing.path) return { ok: true };
    if (path === sdkEvents.path) {
      return { results: (body as { events: unknown[] }).events.map(() => ({ result: "accepted" })) };
    }
    const id = randomUUID();
    const beacon = (kind: string) => `http://ads.example.com/beacon/${kind}?t=${id}`;
    return sdkAd.reply.parse({
      auction: id,
      refresh_seconds: 30,
      country: "US",
      expires_seconds: 1500,
      ads: [
        {
          provider: "lab-steady",
          format: (body as { format: Format }).format,
          markup: { type: "html", content: "<p>" },
          w: null,
          h: null,
          revenue_micros: 400,
          beacons: { impression: beacon("impression"), click: beacon("click"), loss: beacon("loss") },
        },
      ],
    });
  };

  const server = createServer((message, response) => {
    void readText(message).then((text) => {
      if (self.down) {
        self.refused += 1;
        return void response.writeHead(503).end();
      }
      const path = (message.url ?? "").split("?")[0] ?? "";
      const call = CALLS.get(path);
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      const checked = call?.body.safeParse(body);
      if (checked?.success === false) self.faults.push(`${path}: ${checked.error.message}`);
      if (call === undefined && !path.startsWith("/beacon/")) self.faults.push(`no such call: ${path}`);
      self.received.push({
        path: message.url ?? "",
        address: String(message.headers[DEMO_ADDRESS_HEADER]),
        userAgent: String(message.headers["user-agent"]),
        body,
        atMs: Date.now(),
      });
      if (call === undefined) response.writeHead(204).end();
      else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer(path, body)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(self, {
    url,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

async function readText(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of message as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
