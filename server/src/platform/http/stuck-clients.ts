import type { FastifyInstance } from "fastify";
import { SLOWEST_REQUEST_MS } from "./slow-bodies.ts";

export interface StuckTimes {
  /** Closes a connection on which nothing moves for so long during a request. No call takes that long. */
  stuckAfterMs: number;
  /** How long a closing server waits for running requests. Supervisors kill what has not stopped after 30 seconds. */
  graceMs: number;
}

const TIMES: StuckTimes = { stuckAfterMs: SLOWEST_REQUEST_MS, graceMs: 20_000 };

/**
 * Closes the connections of clients that stop reading their replies. Node would wait for them for ever, with the reply and its source
 * in memory, and so would a server that closes.
 */
export function endStuckClients(app: FastifyInstance, { stuckAfterMs, graceMs }: StuckTimes = TIMES): void {
  app.server.setTimeout(stuckAfterMs);
  let timer: NodeJS.Timeout | undefined;
  app.addHook("preClose", async () => {
    timer = setTimeout(() => app.server.closeAllConnections(), graceMs).unref();
  });
  app.addHook("onClose", async () => clearTimeout(timer));
}
