import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { onProtocolChange } from "../../../platform/outbound/protocol-change.ts";

/** Nothing was sent: the host has no address, or refuses connections. */
export class Unreached extends Error {}

/** Far above any reply; more is not read. */
const MAX_REPLY_BYTES = 256 * 1024;

interface Posted {
  url: string;
  contentType: string;
  body: string | Buffer;
  timeoutMs: number;
}

/**
 * Posts on a connection of its own, so that a refused one proves that nothing was sent, and follows no redirect, which could send
 * it twice. Rejects with `Unreached`, or with another error that leaves open what the other side has read.
 */
export function post({ url, contentType, body, timeoutMs }: Posted): Promise<{ status: number; text: string }> {
  const send = url.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: "POST",
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { "content-type": contentType, "content-length": Buffer.byteLength(body) },
    });
    request.on("error", (error) => reject(neverConnected(error) ? new Unreached(error.message) : error));
    onProtocolChange(request, () => reject(new Error("The reply changes the protocol")));
    request.on("response", (reply) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      reply.on("error", reject);
      reply.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_REPLY_BYTES) reply.destroy(new Error("The reply is too large"));
        else chunks.push(chunk);
      });
      reply.on("end", () => {
        resolve({ status: reply.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") });
      });
    });
    request.end(body);
  });
}

const REFUSED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);

/** A host with several addresses fails with one error for each. */
function neverConnected(error: NodeJS.ErrnoException): boolean {
  if (error instanceof AggregateError)
    return error.errors.length > 0 && error.errors.every((one: NodeJS.ErrnoException) => neverConnected(one));
  return (error.syscall === "connect" || error.syscall === "getaddrinfo") && REFUSED.has(error.code ?? "");
}
