import type { Socket } from "node:net";
import { inflateBody } from "./inflate.ts";
import type { CallFailure } from "./outcome.ts";
import { finish, finishFailed } from "./pending-call.ts";
import type { PendingCall } from "./pending-call.ts";
import { ResponseReader } from "./response-reader.ts";
import type { ReadLimits } from "./response-reader.ts";
import type { TransitTime } from "./transit-time.ts";

/** Events that a connection reports to its pool. */
export interface ConnectionOwner {
  readonly limits: ReadLimits & { maxInflatedBytes: number };
  readonly transit: Pick<TransitTime, "received">;
  /** The connection is free for the next call. */
  onIdle(connection: Connection, before: ConnectionState): void;
  /** The connection is closed, for any reason. */
  onClosed(connection: Connection, before: ConnectionState): void;
  /** A kept connection died under a call before any answer: the pool may retry it on another. */
  onStale(call: PendingCall): void;
}

export type ConnectionState = "connecting" | "idle" | "busy" | "draining" | "closed";

/** One kept-alive socket: at most one call at a time, never pipelined. */
export class Connection {
  socket!: Socket;
  state: ConnectionState = "connecting";
  /** `performance.now()` at the start of the state. */
  since: number;
  /** The peer's own word on how long it keeps an idle connection. */
  peerIdleMs = Infinity;
  #call: PendingCall | null = null;
  #served = 0;
  /** When the first byte of the answer arrived. */
  #begunAt = 0;
  readonly #owner: ConnectionOwner;
  readonly #reader: ResponseReader;

  constructor(owner: ConnectionOwner, now: number) {
    this.#owner = owner;
    this.#reader = new ResponseReader(owner.limits);
    this.since = now;
  }

  /** Takes a call that waits for the connection to be made. */
  reserve(call: PendingCall): void {
    this.#call = call;
    call.connection = this;
  }

  send(call: PendingCall): void {
    this.#call = call;
    call.connection = this;
    this.state = "busy";
    this.#reader.reset();
    if (typeof call.payload === "string") this.socket.write(call.payload, call.encoding);
    else this.socket.write(call.payload);
  }

  onConnect(): void {
    if (this.state !== "connecting") return;
    const call = this.#call;
    this.#call = null;
    if (call && !call.settled) return this.send(call);
    this.#becomeIdle("connecting");
  }

  /** The first `length` bytes of a reused buffer. */
  onBytes(buffer: Buffer, length: number): void {
    // Unsolicited bytes must not become the answer to the next call.
    if (this.state === "idle" || this.state === "connecting") return this.close();
    if (this.state === "closed") return;
    if (!this.#reader.hasBegun) this.#begunAt = performance.now();
    const read = this.#reader.read(buffer, length);
    if (read === "done") this.#finish();
    else if (read === "failed") this.#fail(this.#reader.failure);
  }

  onEnd(): void {
    if (this.state === "busy" || this.state === "draining") {
      if (this.#reader.end() === "done") return this.#finish();
      return this.#lost();
    }
    this.close();
  }

  /** The socket failed or closed. */
  onLost(): void {
    if (this.state === "closed") return;
    if (this.state === "connecting") return this.#fail("connection_failed");
    if (this.state === "busy" || this.state === "draining") return this.#lost();
    this.close();
  }

  isBusyWith(call: PendingCall): boolean {
    return this.state === "busy" && this.#call === call;
  }

  /**
   * The caller has given up. If there is room, the connection still reads a late answer and stays open, because a new
   * one costs far more.
   */
  release(drain: boolean): void {
    if (this.state !== "busy") return;
    this.#call = null;
    if (!drain) return this.close();
    this.state = "draining";
    this.since = performance.now();
  }

  close(): void {
    if (this.state === "closed") return;
    const before = this.state;
    this.state = "closed";
    this.#call = null;
    this.#reader.reset();
    this.socket.destroy();
    this.#owner.onClosed(this, before);
  }

  #lost(): void {
    const call = this.#call;
    const isStale = call?.retryStale === true && this.#served > 0 && !this.#reader.hasBegun;
    if (!isStale || call.settled) return this.#fail("closed_early");
    this.close();
    this.#owner.onStale(call);
  }

  #finish(): void {
    const { head, headText, text, encoded } = this.#reader;
    const call = this.#call;
    this.#call = null;
    this.#served++;
    this.#owner.transit.received(performance.now() - this.#begunAt);
    if (head === null) return;
    if (call && !call.settled) {
      if (encoded.length === 0) this.#answer(call, head.status, headText, text);
      else {
        inflateBody(head.encoding, encoded, this.#owner.limits.maxInflatedBytes, (result) => {
          if (call.settled) return;
          if ("text" in result) this.#answer(call, head.status, headText, result.text);
          else finishFailed(call, result.failure);
        });
      }
    }
    if (!head.keepAlive || this.#reader.hasExcess) return this.close();
    if (head.idleSeconds !== null) this.peerIdleMs = head.idleSeconds * 1000;
    this.#becomeIdle(this.state);
  }

  #becomeIdle(before: ConnectionState): void {
    this.state = "idle";
    this.since = performance.now();
    this.#owner.onIdle(this, before);
  }

  #answer(call: PendingCall, status: number, head: string, body: string): void {
    finish(call, { ok: true, status, head, body, latencyMs: performance.now() - call.startedAt });
  }

  #fail(failure: CallFailure): void {
    const call = this.#call;
    this.close();
    if (call) finishFailed(call, failure);
  }
}
