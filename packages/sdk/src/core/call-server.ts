import type { Incoming, Transport } from "./seams.ts";

const REPLY_TIMEOUT_MS = 8_000;

/** A call that brought no usable reply; `status` is null when none came at all. */
export class CallError extends Error {
  readonly status: number | null;

  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
  }
}

/** Posts a message and reads its reply; anything but a readable 200 is a CallError. */
export async function callServer<T>(
  transport: Transport,
  url: string,
  message: unknown,
  read: (json: unknown) => T | null,
): Promise<T> {
  let reply: Incoming;
  try {
    reply = await transport({ url, body: JSON.stringify(message), timeoutMs: REPLY_TIMEOUT_MS });
  } catch (cause) {
    throw new CallError(`No reply from ${url}: ${cause instanceof Error ? cause.message : String(cause)}`, null);
  }
  if (reply.status !== 200) throw new CallError(`${url} answered ${reply.status}${sentence(reply.json)}`, reply.status);
  const value = read(reply.json);
  if (value === null) throw new CallError(`${url} did not answer as Millrace does`, null);
  return value;
}

/** The server's own words, where it gave a reason. */
function sentence(json: unknown): string {
  if (typeof json !== "object" || json === null || !("error" in json)) return "";
  return `: ${typeof json.error === "string" ? json.error : JSON.stringify(json.error)}`;
}
