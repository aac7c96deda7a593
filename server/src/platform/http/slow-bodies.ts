import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Node's own limit for a whole request, which only files come near to: 50 MB take that long at 1.4 Mbit/s. */
export const SLOWEST_REQUEST_MS = 300_000;
const SLOWEST_BODY_MS = 30_000;
const CHECK_MS = 5000;
/**
 * The least pace of a file: 64 KB in each stretch, and 16 KB/s on the whole. One stretch is left out of the whole, because lines can
 * be slow for a while or fail. A phone on 3G (30 KB/s) is about twice as fast.
 */
const PACE = { withinMs: 15_000, leastBytes: 64 * 1024, leastBytesPerSecond: 16 * 1024 };

/**
 * Cuts off clients that send a body in drips: ads, beacons and calls are small and quick. A form with a file is not parsed
 * before its handler runs, and may take as long as any request if it keeps a pace (`cutOffIfSlow`).
 */
export function limitSlowBodies(app: FastifyInstance, mostMs = SLOWEST_BODY_MS, checkMs = CHECK_MS): void {
  /** Requests whose body is being read, in the order of their start, by `performance.now()`. */
  const arriving = new Map<IncomingMessage, number>();
  // With callbacks: an async hook costs every request a promise.
  app.addHook("onRequest", ({ raw }, reply, done) => {
    if (isArriving(raw)) {
      arriving.set(raw, performance.now());
      onEnd(reply, () => arriving.delete(raw));
    }
    done();
  });
  app.addHook("preValidation", ({ raw }, _, done) => {
    arriving.delete(raw);
    done();
  });
  const timer = setInterval(() => {
    const before = performance.now() - mostMs;
    for (const [{ socket }, since] of arriving) {
      if (since > before) return;
      cutOff(socket);
    }
  }, checkMs).unref();
  app.addHook("onClose", async () => clearInterval(timer));
}

/**
 * Reads a form's file. Its client is cut off once a stretch of `withinMs` brings less than `leastBytes`, or all stretches but one
 * bring less than `leastBytesPerSecond`.
 */
export async function cutOffIfSlow<T>(
  { raw: { socket } }: FastifyRequest,
  read: () => Promise<T>,
  { withinMs, leastBytes, leastBytesPerSecond } = PACE,
): Promise<T> {
  const first = socket.bytesRead;
  let before = first;
  let stretches = 0;
  const timer = setInterval(() => {
    const least = (stretches++ * withinMs * leastBytesPerSecond) / 1000;
    if (socket.bytesRead - before < leastBytes || socket.bytesRead - first < least) cutOff(socket);
    before = socket.bytesRead;
  }, withinMs).unref();
  try {
    return await read();
  } finally {
    clearInterval(timer);
  }
}

/** Ends a connection whose body is not waited for any longer. */
export function cutOff(socket: Socket): void {
  if (!socket.destroyed) socket.end("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n");
  socket.destroySoon();
}

/**
 * Reads what is left of a body that was answered before its end. Node does so itself unless something has begun to read, such as
 * what decompresses a body of a type that nothing parses: then the next request of a kept-alive connection, which may be another
 * client's behind a proxy, would never be read.
 */
export function readUnreadBodies(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw }, reply, done) => {
    if (isArriving(raw)) {
      onEnd(reply, () => {
        if (!raw.complete) raw.unpipe().resume();
      });
    }
    done();
  });
}

const isArriving = ({ headers, complete }: IncomingMessage): boolean =>
  !complete && (headers["content-length"] ?? headers["transfer-encoding"]) !== undefined;

/**
 * Once the reply is sent, or its connection broken. Only requests with a body come here: Fastify's hooks of the same moments
 * cost every request their listeners.
 */
function onEnd({ raw }: FastifyReply, done: () => void): void {
  raw.once("finish", done).once("close", done);
}
