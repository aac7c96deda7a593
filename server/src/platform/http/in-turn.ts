import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** Requests that may wait on one connection; clients that send requests ahead of answers send a few. */
export const MOST_WAITING = 100;

/** How many requests of a connection wait. */
const waiting = new WeakMap<Socket, number>();

/**
 * Begins a request once those before it on its connection are answered. Node hands over each request as soon as it has read it
 * (RFC 9112, section 9.3.2), but never tells a reply that waits for another one that its connection is gone: files and streams opened
 * for it would stay open for ever. A request that has not begun has opened nothing.
 */
export function inTurn({ socket }: IncomingMessage, reply: ServerResponse, begin: () => void): void {
  // Node gives the connection to a reply when its turn has come.
  if (reply.socket !== null) return begin();
  const before = waiting.get(socket) ?? 0;
  if (before >= MOST_WAITING) return void socket.destroy();
  waiting.set(socket, before + 1);
  const { assignSocket } = reply;
  reply.assignSocket = (assigned) => {
    assignSocket.call(reply, assigned);
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    begin();
  };
}

/** Answers the requests of each connection one after another. Its hook must be the first. */
export function answerInTurn(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw }, reply, done) => inTurn(raw, reply.raw, done));
}
