import type { Incoming, Transport } from "./host.ts";

const REPLY_TIMEOUT_MS = 8_000;

/** A call without a usable reply; `status` is null if there was no reply at all. */
export class CallError extends Error {
  readonly status: number | null;

  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
  }
}

/** Posts a message and returns its reply. Throws CallError unless the reply has status 200 and `read` accepts it. */
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
  if (value === null) throw new CallError(`The reply from ${url} is not from Millrace`, null);
  return value;
}

/** The server's reason, if it gave one. */
function sentence(json: unknown): string {
  if (typeof json !== "object" || json === null || !("error" in json)) return "";
  return `: ${typeof json.error === "string" ? json.error : JSON.stringify(json.error)}`;
}
