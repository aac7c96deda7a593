import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { BidRequest } from "@millrace/openrtb";
import { answerBadly, send } from "./answer-badly.ts";
import { bidResponse } from "./bid-response.ts";
import { decideBid } from "./decide-bid.ts";
import { PERSONALITIES } from "./personalities.data.ts";
import type { Personality } from "./personality.ts";
import { readRequest } from "./read-request.ts";
import { serveCreative } from "./serve-creative.ts";

/** Counts of `requests`, `bids`, `faults` and each kind of notice, by bidder. */
export type LabCounts = Record<string, Record<string, number>>;

export interface Lab {
  /** The lab's address without a trailing slash. A bidder's is `${url}/bid/<id>`. */
  url: string;
  counts(): LabCounts;
  stop(): Promise<void>;
}

export interface LabOptions {
  /** 0 chooses a free port. */
  port: number;
  seed: string;
  host?: string;
  /** The clock for bidders with outages. */
  nowMs?: () => number;
  personalities?: readonly Personality[];
}

const NOTICES = new Set(["win", "billing", "loss", "impression", "error"]);
const MAX_REQUEST_BYTES = 1 << 20;

/** Starts the demand lab: an HTTP server with a dozen well-behaved bidders and some hostile ones. */
export async function startLab(options: LabOptions): Promise<Lab> {
  const { port, seed, host = "127.0.0.1", nowMs = Date.now, personalities = PERSONALITIES } = options;
  const bidders = new Map(personalities.map((each) => [each.id, each]));
  const counts: LabCounts = Object.fromEntries(personalities.map(({ id }) => [id, {}]));
  const pending = new Set<NodeJS.Timeout>();
  let url = "";

  const count = (bidder: string, kind: string) => {
    const counters = counts[bidder];
    if (counters !== undefined) counters[kind] = (counters[kind] ?? 0) + 1;
  };

  const later = (delayMs: number, act: () => void) => {
    const timer = setTimeout(() => {
      pending.delete(timer);
      act();
    }, delayMs);
    pending.add(timer);
  };

  const bid = (bidder: Personality, request: BidRequest, response: ServerResponse) => {
    count(bidder.id, "requests");
    const decision = decideBid(bidder, request, seed, nowMs());
    later(decision.delayMs, () => {
      if (response.destroyed) return;
      const answer = bidResponse(bidder, request, decision.intents, url);
      if (decision.fault !== undefined) {
        count(bidder.id, "faults");
        void answerBadly(decision.fault, response, answer ?? { id: request.id, cur: "USD", seatbid: [] });
      } else if (answer === null) {
        response.writeHead(204).end();
      } else {
        count(bidder.id, "bids");
        send(response, JSON.stringify(answer));
      }
    });
  };

  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(message.url ?? "/", "http://lab");
    const [, room, first = "", second = ""] = pathname.split("/");
    const bidder = bidders.get(room === "bid" ? first : second);
    if (room === "bid" && bidder !== undefined && message.method === "POST") {
      const request = readRequest(await readBody(message));
      if (request === null) response.writeHead(400).end();
      else bid(bidder, request, response);
    } else if (room === "notice" && bidder !== undefined && NOTICES.has(first)) {
      count(bidder.id, first);
      response.writeHead(204, { "access-control-allow-origin": "*" }).end();
    } else if (room === "revenue" && message.method === "POST") {
      // A publisher's server that takes whatever a webhook posts.
      await readBody(message);
      response.writeHead(204).end();
    } else if (room === "counts.json") {
      send(response, JSON.stringify(counts));
    } else if (!serveCreative(room, first, message, response)) {
      response.writeHead(404).end();
    }
  };

  const server = createServer((message, response) => {
    handle(message, response).catch(() => response.destroy());
  });
  // Longer than the exchange keeps idle connections, so that the lab never closes one that is about to be used.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  url = `http://${host}:${(server.address() as AddressInfo).port}`;

  return {
    url,
    counts: () => structuredClone(counts),
    stop: () =>
      new Promise((resolve) => {
        for (const timer of pending) clearTimeout(timer);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of message as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_REQUEST_BYTES) throw new RangeError("request too long");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
