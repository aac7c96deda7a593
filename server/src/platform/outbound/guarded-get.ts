import { lookup as systemLookup } from "node:dns";
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { urlOf } from "@millrace/openrtb";
import { onProtocolChange } from "./protocol-change.ts";
import { isPublicAddress } from "./public-address.ts";
import { CLOSED_ADDRESS, publicLookup } from "./public-lookup.ts";

export interface GuardedGetOptions {
  timeoutMs: number;
  /** The limit of each body; the rest is cut off. Bodies that are not kept are still read. */
  maxBytes: number;
  maxRedirects: number;
  /** Origins (`scheme://host:port`) that the operator has configured; they may be in any network. */
  trustedOrigins: ReadonlySet<string>;
}

interface GuardedFailure {
  ok: false;
  reason: "bad_address" | "closed_address" | "failed" | "timeout" | "too_many_redirects";
}
export type GuardedGetResult = { ok: true; status: number } | GuardedFailure;
/**
 * `body` is the complete text as UTF-8; a body that is longer than `maxBytes`, compressed or incomplete counts as no
 * answer.
 */
type GuardedReadResult =
  | { ok: true; status: number; body: string }
  | GuardedFailure
  | { ok: false; reason: "too_large" };

/**
 * One answer, without following its redirect. `body` is as above, or null. `isUnconnected` says that the failure came before a connection:
 * the name, the port or the certificate was at fault.
 */
export type GuardedAnswer =
  | { ok: true; status: number; location: string | undefined; contentType: string; body: string | null }
  | { ok: false; reason: GuardedFailure["reason"] | "too_large"; isUnconnected: boolean };

/** What is sent, and whether the answer's body is kept. */
interface Sent {
  headers?: Record<string, string>;
  /** Posted; without it, the request is a GET. */
  body?: string;
  keeps: boolean;
}

interface Answer {
  status: number;
  /** The redirect's target; undefined without a valid one. */
  location: string | undefined;
  contentType: string;
  /** Null if it was not to be kept or is incomplete. */
  body: Buffer | null;
  isTooLarge: boolean;
}

type Failure = GuardedFailure & { isUnconnected: boolean };

/**
 * Sends requests to untrusted addresses. The name is resolved once, at the connection, and only public addresses
 * are connected to, so neither a redirect nor DNS rebinding reaches our own network. Never rejects.
 */
export class GuardedClient {
  readonly #guarded: Agents;
  readonly #open: Agents;

  /** `maxSockets` is the most connections to one origin. */
  constructor({ maxSockets = 8 } = {}) {
    this.#guarded = agents(publicLookup, maxSockets);
    this.#open = agents(systemLookup, maxSockets);
  }

  /** Whether the address answers, and how. */
  async get(url: string, options: GuardedGetOptions): Promise<GuardedGetResult> {
    const answer = await this.#follow(url, options, { keeps: false });
    return "ok" in answer ? answer : { ok: true, status: answer.status };
  }

  /** Posts a body, and tells how the address answers. Redirects are not followed, because a browser's would become a GET. */
  async post(
    url: string,
    options: Omit<GuardedGetOptions, "maxRedirects">,
    { body, headers }: { body: string; headers: Record<string, string> },
  ): Promise<GuardedGetResult> {
    const answer = await this.#follow(url, { ...options, maxRedirects: 0 }, { headers, body, keeps: false });
    return "ok" in answer ? answer : { ok: true, status: answer.status };
  }

  /** The reply of an address. */
  async read(
    url: string,
    options: GuardedGetOptions & { headers?: Record<string, string> },
  ): Promise<GuardedReadResult> {
    const answer = await this.#follow(url, options, { headers: options.headers ?? {}, keeps: true });
    if ("ok" in answer) return answer;
    if (answer.isTooLarge) return { ok: false, reason: "too_large" };
    if (answer.body === null) return { ok: false, reason: "failed" };
    return { ok: true, status: answer.status, body: answer.body.toString("utf8") };
  }

  /** The answer of an address, for callers with rules of their own for redirects. */
  async readOnce(url: string, options: Omit<GuardedGetOptions, "maxRedirects">): Promise<GuardedAnswer> {
    const target = webAddress(url);
    if (!target) return { ok: false, reason: "bad_address", isUnconnected: true };
    const answer = await this.#once(target, options, { keeps: true }, options.timeoutMs);
    if ("ok" in answer) return answer;
    const { status, location, contentType, body, isTooLarge } = answer;
    if (location === undefined && isTooLarge) return { ok: false, reason: "too_large", isUnconnected: false };
    return { ok: true, status, location, contentType, body: body?.toString("utf8") ?? null };
  }

  async #follow(url: string, options: GuardedGetOptions, sent: Sent): Promise<Answer | GuardedFailure> {
    const end = performance.now() + options.timeoutMs;
    let next = url;
    for (let redirects = 0; ; redirects++) {
      if (redirects > options.maxRedirects) return { ok: false, reason: "too_many_redirects" };
      const target = webAddress(next);
      if (!target) return { ok: false, reason: "bad_address" };
      const result = await this.#once(target, options, sent, end - performance.now());
      if ("ok" in result) return { ok: false, reason: result.reason };
      if (result.location === undefined) return result;
      next = result.location;
    }
  }

  close(): void {
    for (const { http, https } of [this.#guarded, this.#open]) {
      http.destroy();
      https.destroy();
    }
  }

  #once(
    target: URL,
    { maxBytes, trustedOrigins }: Pick<GuardedGetOptions, "maxBytes" | "trustedOrigins">,
    { headers, body, keeps }: Sent,
    leftMs: number,
  ): Promise<Answer | Failure> {
    const host = target.hostname.replace(/^\[|\]$/g, "");
    const isTrusted = trustedOrigins.has(target.origin);
    // An IP address is connected to without a look-up.
    if (!isTrusted && isIP(host) !== 0 && !isPublicAddress(host)) {
      return Promise.resolve({ ok: false, reason: "closed_address", isUnconnected: true });
    }
    if (leftMs <= 0) return Promise.resolve({ ok: false, reason: "timeout", isUnconnected: true });
    const { http, https } = isTrusted ? this.#open : this.#guarded;
    return new Promise((resolve) => {
      const onAnswer = (answer: IncomingMessage) => {
        let bytes = 0;
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > maxBytes) answer.destroy();
          else if (keeps) chunks.push(chunk);
        });
        answer.on("close", () =>
          resolve({
            status: answer.statusCode ?? 0,
            location: locationOf(answer, target),
            contentType: answer.headers["content-type"] ?? "",
            body: keeps && bytes <= maxBytes && answer.complete && isPlain(answer) ? Buffer.concat(chunks) : null,
            isTooLarge: bytes > maxBytes,
          }),
        );
        answer.on("error", () => undefined);
      };
      const options = {
        method: body === undefined ? "GET" : "POST",
        headers: { accept: "*/*", "user-agent": "Millrace", ...headers },
      };
      const request =
        target.protocol === "https:"
          ? requestHttps(target, { ...options, agent: https }, onAnswer)
          : requestHttp(target, { ...options, agent: http }, onAnswer);
      let isUnconnected = true;
      const fail = (reason: GuardedFailure["reason"]) => resolve({ ok: false, reason, isUnconnected });
      request.on("socket", (socket) => {
        if (request.reusedSocket) isUnconnected = false;
        else socket.once(target.protocol === "https:" ? "secureConnect" : "connect", () => (isUnconnected = false));
      });
      const timer = setTimeout(() => {
        fail("timeout");
        request.destroy();
      }, leftMs);
      request.on("error", (error) => {
        const isClosed = "code" in error && error.code === CLOSED_ADDRESS;
        fail(isClosed ? "closed_address" : "failed");
      });
      onProtocolChange(request, () => fail("failed"));
      request.on("close", () => clearTimeout(timer));
      // With the body at once, so that Node.js states its length.
      request.end(body);
    });
  }
}

function webAddress(text: string): URL | null {
  const url = urlOf(text);
  return url && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "" ? url : null;
}

/** Nothing is decompressed here, because a decompression bomb could fill the memory. */
function isPlain({ headers }: IncomingMessage): boolean {
  return (headers["content-encoding"] ?? "identity") === "identity";
}

/** The absolute target of a redirect; undefined if invalid. `http:` without a host resolves over http only. */
function locationOf({ statusCode = 0, headers }: IncomingMessage, from: URL): string | undefined {
  const { location } = headers;
  if (statusCode < 300 || statusCode > 399 || location === undefined) return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from).href : undefined;
}

type Agents = ReturnType<typeof agents>;

/** Connections of one agent that serve calls at any time, and those that are kept open for later ones besides. */
const MOST_BUSY = 256;
const MOST_IDLE = 256;

function agents(lookup: typeof systemLookup, maxSockets: number) {
  const maxTotalSockets = MOST_BUSY + MOST_IDLE;
  const options = {
    keepAlive: true,
    maxSockets,
    maxFreeSockets: maxSockets / 2,
    maxTotalSockets,
    timeout: 10_000,
    lookup,
  };
  return { http: withFewIdle(new HttpAgent(options)), https: withFewIdle(new HttpsAgent(options)) };
}

/**
 * Closes idle connections above `MOST_IDLE`. To Node.js they count like busy ones, so with too many of them, calls to other addresses
 * would wait until one has been idle for its ten seconds.
 */
function withFewIdle<Of extends HttpAgent>(agent: Of): Of {
  return agent.on("free", () => {
    const idle = Object.values(agent.freeSockets).flatMap((sockets = []) => sockets.filter((each) => !each.destroyed));
    if (idle.length > MOST_IDLE) idle[0]?.destroy();
  });
}
