import { connect as connectTcp } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { CachedLookup } from "./cached-lookup.ts";
import { Connection } from "./connection.ts";
import type { ConnectionOwner, ConnectionState } from "./connection.ts";
import { finishFailed } from "./pending-call.ts";
import type { PendingCall } from "./pending-call.ts";
import { TransitTime } from "./transit-time.ts";

export interface PoolLimits {
  maxHeadBytes: number;
  maxBodyBytes: number;
  maxInflatedBytes: number;
  /** Sockets to one origin, those being made included. */
  maxConnections: number;
  /** The limit of calls waiting for a socket of one origin. */
  maxWaiting: number;
  /** How many sockets of one origin may wait for a late answer, and for how long. */
  maxDraining: number;
  drainMs: number;
  idleMs: number;
  connectMs: number;
  /** Certificates to trust instead of the well-known ones, in PEM. */
  ca?: string;
}

/** Reads are handled one at a time, to their end: all sockets share one buffer. */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024);
/** Closed this long before the peer would, so that a call does not meet a connection on its way out. */
const PEER_IDLE_MARGIN_MS = 1000;

export interface Origin {
  isTls: boolean;
  host: string;
  port: number;
}

/** The sockets to one origin. */
export class OriginPool implements ConnectionOwner {
  readonly limits: PoolLimits;
  readonly transit = new TransitTime();
  readonly #origin: Origin;
  readonly #lookup: CachedLookup;
  /** Connections that are free; the last used is used next, so that the surplus grows old and is closed. */
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  #waiting: PendingCall[] = [];
  #draining = 0;
  #session: Buffer | undefined;

  constructor(origin: Origin, limits: PoolLimits, lookup: CachedLookup) {
    this.#origin = origin;
    this.limits = limits;
    this.#lookup = lookup;
  }

  get size(): number {
    return this.#all.size;
  }

  call(call: PendingCall): void {
    const free = this.#idle.pop();
    if (free) return free.send(call);
    if (this.#all.size < this.limits.maxConnections) return this.#open().reserve(call);
    if (this.#waiting.length < this.limits.maxWaiting) this.#waiting.push(call);
    else finishFailed(call, "connection_failed");
  }

  /** The caller has given up; a connection being opened for the call is kept for the next. */
  abandon(call: PendingCall): void {
    const connection = call.connection;
    // Its answer may have arrived after all, and the connection may serve another call.
    if (connection?.isBusyWith(call) !== true) return;
    const drain = this.#draining < this.limits.maxDraining;
    if (drain) this.#draining++;
    connection.release(drain);
  }

  onIdle(connection: Connection, before: ConnectionState): void {
    if (before === "draining") this.#draining--;
    const next = this.#nextWaiting();
    if (next) connection.send(next);
    else this.#idle.push(connection);
  }

  onClosed(connection: Connection, before: ConnectionState): void {
    this.#all.delete(connection);
    if (before === "draining") this.#draining--;
    if (before === "idle") this.#idle.splice(this.#idle.lastIndexOf(connection), 1);
    const next = this.#nextWaiting();
    if (next) this.#open().reserve(next);
  }

  onStale(call: PendingCall): void {
    call.retryStale = false;
    this.call(call);
  }

  /** Closes sockets that were idle, draining or connecting for too long. Returns whether the pool is empty. */
  sweep(now: number): boolean {
    for (const connection of this.#all) {
      const age = now - connection.since;
      const limit = this.#limitOf(connection);
      if (age <= limit) continue;
      if (connection.state === "connecting") connection.onLost();
      else connection.close();
    }
    this.#waiting = this.#waiting.filter((call) => !call.settled);
    return this.#all.size === 0;
  }

  close(): void {
    for (const call of this.#waiting.splice(0)) finishFailed(call, "connection_failed");
    for (const connection of this.#all) connection.close();
  }

  #limitOf(connection: Connection): number {
    switch (connection.state) {
      case "connecting":
        return this.limits.connectMs;
      case "idle":
        return Math.min(this.limits.idleMs, Math.max(0, connection.peerIdleMs - PEER_IDLE_MARGIN_MS));
      case "draining":
        return this.limits.drainMs;
      // A call in progress ends by its own deadline.
      case "busy":
      case "closed":
        return Infinity;
    }
  }

  #nextWaiting(): PendingCall | undefined {
    while (this.#waiting.length > 0) {
      const call = this.#waiting.shift();
      if (call && !call.settled) return call;
    }
    return undefined;
  }

  #open(): Connection {
    const connection = new Connection(this, performance.now());
    const socket = this.#connect(connection);
    connection.socket = socket;
    this.#all.add(connection);
    this.#timeConnecting(socket);
    socket.setNoDelay(true);
    socket.on("error", () => connection.onLost());
    socket.on("end", () => connection.onEnd());
    socket.on("close", () => connection.onLost());
    return connection;
  }

  /** A TCP connection is made with one round trip, after the look-up of its name. */
  #timeConnecting(socket: Socket): void {
    let from = performance.now();
    socket.once("lookup", () => (from = performance.now()));
    socket.once("connect", () => this.transit.connected(performance.now() - from));
  }

  #connect(connection: Connection): Socket {
    const { isTls, host, port } = this.#origin;
    const onread = {
      buffer: READ_BUFFER,
      callback: (bytes: number): boolean => {
        connection.onBytes(READ_BUFFER, bytes);
        return true;
      },
    };
    const options = { host, port, lookup: this.#lookup, onread };
    if (!isTls) return connectTcp(options, () => connection.onConnect());
    const socket = connectTls(
      { ...options, servername: host, ALPNProtocols: ["http/1.1"], session: this.#session, ca: this.limits.ca },
      () => connection.onConnect(),
    );
    socket.on("session", (session) => {
      this.#session = session;
    });
    return socket;
  }
}
