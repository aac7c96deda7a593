import { Agent, request } from "node:http";
import type { HostileRequest } from "./hostile-requests.ts";

const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const TIMEOUT_MS = 60_000;

/** `status` is 0 if the server closed the connection without an answer. */
export interface RawReply {
  status: number;
  text: string;
}

const CLOSED: RawReply = { status: 0, text: "" };

/** Sends a request unchanged. Rejects if no server listens or none answers in time. */
export function sendRaw(url: string, { method, path, headers, body }: HostileRequest): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, agent, method, path, headers, timeout: TIMEOUT_MS }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      reply.on("error", () => resolve(CLOSED));
    });
    sent.on("timeout", () => {
      sent.destroy(new Error(`No answer within ${TIMEOUT_MS} ms: ${method} ${path.slice(0, 200)}`));
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNRESET" || error.code === "EPIPE") resolve(CLOSED);
      else reject(error);
    });
    sent.end(body ?? undefined);
  });
}
