import type { Incoming, Transport } from "./host.ts";
import { type ErrorCode, messageOf, SdkError } from "./failure.ts";

const REPLY_TIMEOUT_MS = 8_000;

/** A call without a usable reply; `status` is null if there was no reply at all. */
export class CallError extends SdkError {
  declare readonly status: number | null;

  constructor(code: ErrorCode, message: string, status: number | null) {
    super(code, message);
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
    const code = cause instanceof SdkError ? cause.code : "network";
    throw new CallError(code, `No reply from ${url}: ${messageOf(cause)}`, null);
  }
  const { status, json } = reply;
  if (status !== 200) throw new CallError(codeOf(status), `${url} answered ${status}${sentence(json)}`, status);
  const value = read(json);
  if (value === null) throw new CallError("bad_reply", `The reply from ${url} is not from Millrace`, null);
  return value;
}

function codeOf(status: number): ErrorCode {
  if (status === 429) return "too_many";
  if (status >= 500) return "server";
  return status >= 400 ? "refused" : "bad_reply";
}

/** The server's reason, if it gave one. */
function sentence(json: unknown): string {
  if (typeof json !== "object" || json === null || !("error" in json)) return "";
  const reason = typeof json.error === "string" ? json.error : JSON.stringify(json.error);
  return `: ${reason.slice(0, 200)}`;
}
