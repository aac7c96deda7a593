import type { FastifyReply } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";

/** Parses JSON, also after the byte order mark that some clients and servers write before it (RFC 8259, section 8.1). */
export const parseJsonText = (text: string): unknown => JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);

/** Parses a body that arrived as text. Throws Problem `invalid` if it is not JSON. */
export function parseJson(body: unknown): unknown {
  if (typeof body !== "string" || body === "") throw new Problem("invalid", { body: "must be JSON" });
  try {
    return parseJsonText(body);
  } catch {
    throw new Problem("invalid", { body: "is not readable JSON" });
  }
}

/** Sends a reply without checking it against the contract, because the check would delay every ad; tests do it instead. */
export function sendJson(reply: FastifyReply, value: object): FastifyReply {
  return reply
    .headers({ "content-type": "application/json; charset=utf-8", "cache-control": "no-store" })
    .send(JSON.stringify(value));
}
