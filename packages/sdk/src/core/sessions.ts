import type { BodyInput, sdkInit } from "@millrace/contract";
import { backoffMs } from "./backoff.ts";
import { CallError, callServer } from "./call-server.ts";
import type { DeliveryQueue } from "./delivery-queue.ts";
import { messageOf } from "./failure.ts";
import { readInitReply, type InitReply } from "./protocol.ts";
import type { Host } from "./host.ts";

/** A running session as stored, so that a reloaded page continues it. */
interface Running {
  reply: InitReply;
  /** Its last activity, in epoch milliseconds. */
  aliveAt: number;
  /** The number of the last ping. */
  seq: number;
}

export interface Sessions {
  /** The running session, or a new one after half an hour of inactivity. Rejects with a CallError. */
  current(): Promise<InitReply>;
  /** The server no longer accepts this session: the next `current` starts another one. */
  forget(session: string): void;
  foreground(): void;
  background(): void;
  /** The network is back: a failed start may be retried at once. */
  retry(): void;
  close(): void;
}

/** Starts, continues and ends sessions, and pings while the app is in the foreground. */
export function startSessions(
  host: Host,
  deps: {
    endpoint: string;
    key: string;
    /** Rejects if consent cannot be known. */
    message: () => Promise<BodyInput<typeof sdkInit>>;
    queue: DeliveryQueue;
    onStart: (reply: InitReply) => void;
    /** A start that nobody waits for has failed. */
    onFailure: (cause: unknown) => void;
  },
): Sessions {
  const { clock, storage, transport, random } = host;
  let running = restore();
  let starting: Promise<InitReply> | null = null;
  let failures = 0;
  let mayStartAt = 0;
  /** Read only after a failed start, which has replaced it. */
  let lastFailure = new CallError("network", "", null);
  /** Since when foreground time has not been pinged, in ticks; null in the background. */
  let countedFrom: number | null = null;
  let cancel = () => {};

  function restore(): Running | null {
    try {
      const kept = JSON.parse(storage.get(deps.key) ?? "null") as Running | null;
      const reply = readInitReply({ zones: [], ...kept?.reply });
      return kept && reply && typeof kept.aliveAt === "number" && typeof kept.seq === "number"
        ? { ...kept, reply }
        : null;
    } catch {
      return null;
    }
  }

  function keep(): void {
    try {
      if (running) storage.set(deps.key, JSON.stringify(running));
      else storage.remove(deps.key);
    } catch {
      // Without storage the session lives as long as the page.
    }
  }

  const isSilent = (of: Running) => clock.now() - of.aliveAt > of.reply.session_timeout_seconds * 1000;

  async function start(): Promise<InitReply> {
    if (clock.ticks() < mayStartAt) throw lastFailure;
    try {
      const message = await deps.message();
      const reply = await callServer(transport, `${deps.endpoint}/sdk/v1/init`, message, readInitReply);
      failures = 0;
      running = { reply, aliveAt: clock.now(), seq: 0 };
      if (countedFrom !== null) countedFrom = clock.ticks();
      keep();
      deps.onStart(reply);
      tick();
      return reply;
    } catch (cause) {
      failures += 1;
      mayStartAt = clock.ticks() + backoffMs(failures, random);
      lastFailure = cause instanceof CallError ? cause : new CallError("callback", messageOf(cause), null);
      throw lastFailure;
    }
  }

  async function current(): Promise<InitReply> {
    if (running && !isSilent(running)) {
      running.aliveAt = clock.now();
      keep();
      return running.reply;
    }
    starting ??= start().finally(() => (starting = null));
    return starting;
  }

  /** Reports the foreground time since the last ping. */
  function ping(): void {
    if (!running || countedFrom === null || isSilent(running)) return;
    // Time that the device was asleep does not count.
    const passed = Math.min((clock.ticks() - countedFrom) / 1000, 2 * Math.max(1, running.reply.ping_seconds));
    const seconds = Math.floor(passed);
    if (seconds < 1) return;
    countedFrom = clock.ticks() - (passed - seconds) * 1000;
    // Another page of the app may have pinged for the same session in the meantime.
    const kept = restore();
    const seq = Math.max(running.seq, kept?.reply.session === running.reply.session ? kept.seq : 0) + 1;
    running = { ...running, seq, aliveAt: clock.now() };
    keep();
    deps.queue.add(`${deps.endpoint}/sdk/v1/ping`, JSON.stringify({ session: running.reply.session, seq, seconds }));
  }

  function tick(): void {
    cancel();
    if (countedFrom === null) return;
    if (running) cancel = clock.after(Math.max(1, running.reply.ping_seconds) * 1000, pingAndGoOn);
  }

  function begin(): void {
    current().catch(deps.onFailure);
  }

  function pingAndGoOn(): void {
    if (running && isSilent(running)) begin();
    else ping();
    tick();
  }

  return {
    current,
    forget(session) {
      if (running?.reply.session !== session) return;
      running = null;
      keep();
    },
    foreground() {
      if (countedFrom !== null) return;
      countedFrom = clock.ticks();
      begin();
      tick();
    },
    background() {
      ping();
      countedFrom = null;
      cancel();
    },
    retry() {
      mayStartAt = 0;
      if (countedFrom !== null) begin();
    },
    close() {
      ping();
      cancel();
      countedFrom = null;
    },
  };
}
