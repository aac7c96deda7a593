import { type Socket, connect } from "node:net";

export interface LoadOrder {
  port: number;
  connections: number;
  /** The number of requests. */
  total: number;
  /** The bytes of the nth request, head and body. */
  request(nth: number): Buffer;
  /** A fixed rate, independent of the answers. Without it, each connection sends its next request after each answer. */
  perSecond?: number;
  onAnswer?(nth: number, status: number, body: () => string): void;
}

export interface LoadResult {
  /** In the order of the answers. With a fixed rate, measured from the moment at which the request was due. */
  latenciesMs: number[];
  /** The number of answers by status. */
  statuses: Record<number, number>;
  tookMs: number;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const PACE_EVERY_MS = 1;

/** Sends requests over raw keep-alive connections, one at a time on each. Rejects if a connection breaks. */
export async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const { port, connections, total, perSecond } = order;
  const latenciesMs: number[] = [];
  const statuses: Record<number, number> = {};
  const idle: Lane[] = [];
  let startedAt = 0;
  let next = 0;
  let finish = () => {};
  let fail: (error: Error) => void = () => {};
  const finished = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });

  const dueAt = (nth: number) => (perSecond === undefined ? performance.now() : startedAt + (nth / perSecond) * 1000);

  /** Sends the due requests on idle connections. */
  function sendDue(): void {
    while (idle.length > 0 && next < total && dueAt(next) <= performance.now()) {
      const lane = idle.pop() as Lane;
      lane.nth = next;
      lane.sentAt = dueAt(next);
      next++;
      lane.socket.write(order.request(lane.nth));
    }
  }

  function onDone(lane: Lane, status: number, body: () => string): void {
    latenciesMs.push(performance.now() - lane.sentAt);
    statuses[status] = (statuses[status] ?? 0) + 1;
    try {
      order.onAnswer?.(lane.nth, status, body);
    } catch (error) {
      return fail(error instanceof Error ? error : new Error(String(error)));
    }
    lane.nth = -1;
    idle.push(lane);
    if (latenciesMs.length === total) finish();
    else sendDue();
  }

  const lanes = Array.from({ length: connections }, () => openLane(port, onDone, fail));
  await Promise.all(lanes.map(({ ready }) => ready));
  idle.push(...lanes);
  startedAt = performance.now();
  const pace = perSecond === undefined ? undefined : setInterval(sendDue, PACE_EVERY_MS);
  sendDue();
  try {
    await finished;
  } finally {
    clearInterval(pace);
    for (const lane of lanes) lane.socket.destroy();
  }
  return { latenciesMs, statuses, tookMs: performance.now() - startedAt };
}

interface Lane {
  socket: Socket;
  ready: Promise<void>;
  nth: number;
  sentAt: number;
}

function openLane(
  port: number,
  onDone: (lane: Lane, status: number, body: () => string) => void,
  onBroken: (error: Error) => void,
): Lane {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const ready = new Promise<void>((resolve) => {
    socket.once("connect", resolve);
  });
  const lane: Lane = { socket, ready, nth: -1, sentAt: 0 };
  let received: Buffer | null = null;
  socket.on("data", (chunk) => {
    const all: Buffer = received === null ? chunk : Buffer.concat([received, chunk]);
    const headEnd = all.indexOf(HEAD_END);
    const head = headEnd < 0 ? "" : all.toString("latin1", 0, headEnd);
    const length = Number(/\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (headEnd < 0 || all.length < headEnd + 4 + length) {
      received = all;
      return;
    }
    received = null;
    onDone(lane, Number(head.slice(9, 12)), () => all.toString("utf8", headEnd + 4, headEnd + 4 + length));
  });
  socket.on("error", onBroken);
  socket.on("close", () => {
    if (lane.nth >= 0) onBroken(new Error("the platform closed a connection before answering"));
  });
  return lane;
}

const DEVICES = 5000;

/** The nth device's address. A single address would hit its rate limits. */
export const addressOf = (nth: number): string => {
  const device = nth % DEVICES;
  return `10.7.${device >> 8}.${device & 255}`;
};

/** The bytes of a JSON POST from the nth device. */
export function postOf(path: string, body: string, nth: number): Buffer {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: ${ANDROID}\r\nX-Forwarded-For: ${addressOf(nth)}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** The bytes of a JSON POST, from the next device at each call. */
export function postsOf(path: string, body: string): () => Buffer {
  const posts = Array.from({ length: DEVICES }, (_, nth) => postOf(path, body, nth));
  let next = 0;
  return () => posts[next++ % DEVICES] as Buffer;
}

/** The bytes of a GET. */
export function getOf(path: string, headers = ""): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: ${ANDROID}\r\n${headers}\r\n`);
}

const ANDROID =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36";
