import type { FastifyRequest } from "fastify";
import { fairQueue } from "../../platform/fair-queue.ts";
import { cutOff } from "../../platform/http/slow-bodies.ts";

interface PlaceLimits {
  atOnce: number;
  perAccount: number;
  waitingPerAccount: number;
  waitMs: number;
  busyText: string;
  /** How long a body may come, however slowly, while an account without a place waits for one. */
  undisturbedMs: number;
  checkMs: number;
}

/** The uploads that are read and worked on at once. */
export interface UploadPlaces {
  /** Runs the work in a place of the account. Problem `too_many` or `unavailable` if it gets none. */
  run<T>(accountId: number, work: () => Promise<T>): Promise<T>;
  /** Reads the body of an upload that has a place; it is cut off if it has to give way. */
  receive<T>(request: FastifyRequest, read: () => Promise<T>): Promise<T>;
}

/**
 * Shares the places among accounts. A body may take minutes, so a few accounts that send slowly could hold every place: while an
 * account that has none waits, the slowest body gives way, once it has come for a while. Whoever wants to keep the others
 * out has to send faster than they do.
 */
export function uploadPlaces({
  perAccount,
  waitingPerAccount,
  undisturbedMs,
  checkMs,
  ...limits
}: PlaceLimits): UploadPlaces {
  const queue = fairQueue({ ...limits, perKey: perAccount, waitingPerKey: waitingPerAccount });
  const arriving = new Set<{ request: FastifyRequest; sinceMs: number; bytesBefore: number }>();
  /** How many places each account has. */
  const held = new Map<number, number>();

  function makeRoom(): void {
    const now = performance.now();
    let slowest: { request: FastifyRequest; pace: number } | undefined;
    for (const { request, sinceMs, bytesBefore } of arriving) {
      const ms = now - sinceMs;
      const pace = (request.raw.socket.bytesRead - bytesBefore) / ms;
      if (ms >= undisturbedMs && (!slowest || pace < slowest.pace)) slowest = { request, pace };
    }
    // It counts until it has left its place, so that one gives way at a time.
    if (slowest) cutOff(slowest.request.raw.socket);
  }

  return {
    async run(accountId, work) {
      const waiting = setInterval(() => {
        if (!held.has(accountId)) makeRoom();
      }, checkMs).unref();
      try {
        return await queue.run(accountId, async () => {
          clearInterval(waiting);
          held.set(accountId, (held.get(accountId) ?? 0) + 1);
          try {
            return await work();
          } finally {
            const left = (held.get(accountId) ?? 1) - 1;
            if (left > 0) held.set(accountId, left);
            else held.delete(accountId);
          }
        });
      } finally {
        clearInterval(waiting);
      }
    },
    async receive(request, read) {
      const mine = { request, sinceMs: performance.now(), bytesBefore: request.raw.socket.bytesRead };
      arriving.add(mine);
      try {
        return await read();
      } finally {
        arriving.delete(mine);
      }
    },
  };
}
