import { sleep } from "./waiting.ts";

/** Socket errors of an unreachable peer. */
const SOCKET_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
]);
/** SQLSTATE: class 08 (connection), no connection is left (53300), the server shuts down or crashed (57P01, 57P02) or is not up yet (57P03). */
const SQL_STATES = /^(08...|53300|57P0[123])$/;
const MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|socket hang up)/;

/**
 * Whether an error means that the connection failed rather than the statement. The statement may still have taken
 * effect. Our own errors keep the driver's as their cause, so causes are checked too.
 */
export function isConnectionLoss(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = "code" in at ? String(at.code) : "";
    if (SOCKET_CODES.has(code) || SQL_STATES.test(code) || MESSAGES.test(at.message)) return true;
  }
  return false;
}

/**
 * Runs `attempt` again, with growing pauses, while it fails for a lost connection and the deadline has not passed. For
 * work that may run twice: reads, and writes that a key or a token makes count once.
 */
export async function retryOnConnectionLoss<T>(attempt: () => Promise<T>, options: { deadlineMs: number }): Promise<T> {
  const until = performance.now() + options.deadlineMs;
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isConnectionLoss(error) || performance.now() + pauseMs > until) throw error;
      await sleep(pauseMs);
    }
  }
}
