import { lookup as systemLookup, type LookupAddress, type LookupOptions } from "node:dns";
import { Agent as HttpAgent, get as getHttp, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, get as getHttps } from "node:https";
import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";

export interface GuardedGetOptions {
  timeoutMs: number;
  /** Of each answer's body; more is cut off. The body is read over, not kept. */
  maxBytes: number;
  maxRedirects: number;
  /** Origins (`scheme://host:port`) that the operator has named himself: they may be anywhere. */
  trustedOrigins: ReadonlySet<string>;
}

export type GuardedGetResult =
  | { ok: true; status: number }
  | { ok: false; reason: "bad_address" | "closed_address" | "failed" | "timeout" | "too_many_redirects" };

/**
 * GETs an address that a stranger has given us. The name is resolved once, at the connection, and only public addresses
 * are connected to, so neither a redirect nor a name that changes its mind leads into our own network. Never rejects.
 */
export class GuardedClient {
  readonly #guarded = agents(guardedLookup);
  readonly #open = agents(systemLookup);

  async get(url: string, options: GuardedGetOptions): Promise<GuardedGetResult> {
    const end = performance.now() + options.timeoutMs;
    let next = url;
    for (let redirects = 0; ; redirects++) {
      if (redirects > options.maxRedirects) return { ok: false, reason: "too_many_redirects" };
      const target = webAddress(next);
      if (!target) return { ok: false, reason: "bad_address" };
      const result = await this.#once(target, options, end - performance.now());
      if (!result.ok || result.location === undefined) return result.ok ? { ok: true, status: result.status } : result;
      next = new URL(result.location, target).href;
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
    { maxBytes, trustedOrigins }: GuardedGetOptions,
    leftMs: number,
  ): Promise<{ ok: true; status: number; location: string | undefined } | (GuardedGetResult & { ok: false })> {
    const host = target.hostname.replace(/^\[|\]$/g, "");
    const isTrusted = trustedOrigins.has(target.origin);
    // An address instead of a name is connected to without being looked up.
    if (!isTrusted && isIP(host) !== 0 && !isPublicAddress(host)) {
      return Promise.resolve({ ok: false, reason: "closed_address" });
    }
    if (leftMs <= 0) return Promise.resolve({ ok: false, reason: "timeout" });
    const { http, https } = isTrusted ? this.#open : this.#guarded;
    return new Promise((resolve) => {
      const onAnswer = (answer: IncomingMessage) => {
        let bytes = 0;
        answer.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > maxBytes) answer.destroy();
        });
        answer.on("close", () => resolve({ ok: true, status: answer.statusCode ?? 0, location: locationOf(answer) }));
        answer.on("error", () => undefined);
      };
      const options = { headers: { accept: "*/*", "user-agent": "Millrace" } };
      const request =
        target.protocol === "https:"
          ? getHttps(target, { ...options, agent: https }, onAnswer)
          : getHttp(target, { ...options, agent: http }, onAnswer);
      const timer = setTimeout(() => {
        resolve({ ok: false, reason: "timeout" });
        request.destroy();
      }, leftMs);
      request.on("error", (error) => {
        const isClosed = "code" in error && error.code === CLOSED_ADDRESS;
        resolve({ ok: false, reason: isClosed ? "closed_address" : "failed" });
      });
      request.on("close", () => clearTimeout(timer));
    });
  }
}

function webAddress(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "" ? url : null;
}

function locationOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return statusCode >= 300 &&
    statusCode < 400 &&
    headers.location !== undefined &&
    URL.canParse(headers.location, "http://a")
    ? headers.location
    : undefined;
}

const CLOSED_ADDRESS = "CLOSED_ADDRESS";
type Lookup = typeof systemLookup;

function agents(lookup: Lookup) {
  const options = { keepAlive: true, maxSockets: 8, maxFreeSockets: 4, maxTotalSockets: 256, timeout: 10_000, lookup };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

/** Resolves a name and hands on nothing unless all of its addresses are public. */
const guardedLookup = ((
  host: string,
  options: LookupOptions,
  done: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
) => {
  systemLookup(host, { ...options, all: true }, (error, addresses) => {
    const first = addresses?.[0];
    if (error || !first) return done(error ?? new Error(`${host} has no address`), []);
    if (!addresses.every(({ address }) => isPublicAddress(address))) {
      return done(Object.assign(new Error(`${host} is not public`), { code: CLOSED_ADDRESS }), []);
    }
    return options.all ? done(null, addresses) : done(null, first.address, first.family);
  });
}) as Lookup;
