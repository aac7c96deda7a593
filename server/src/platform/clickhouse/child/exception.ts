import { errorMessage } from "../../error-message.ts";

/** An error as ClickHouse tells it over HTTP: the official client reads code, message and type back out of the text. */
export class Exception extends Error {
  readonly code: number;
  readonly type: string;

  constructor(code: number, type: string, message: string) {
    super(message);
    this.code = code;
    this.type = type;
  }

  /** The body of the reply. */
  get text(): string {
    return `Code: ${this.code}. DB::Exception: ${this.message}. (${this.type})`;
  }
}

const shape =
  /^(?:Code: \d+\. DB::Exception: )*Code: (?<code>\d+)\. DB::Exception: (?<message>[\s\S]*?)\.? \((?<type>[A-Z][A-Z0-9_]+)\)(?: \(version [^)]*\)\.? ?(?:\([A-Z0-9_]+\))?)?\s*$/;

/** Reads the engine's own errors, which come as text; what is none of them becomes an UNKNOWN_EXCEPTION. */
export function asException(error: unknown): Exception {
  if (error instanceof Exception) return error;
  const text = errorMessage(error);
  const found = shape.exec(text)?.groups;
  if (found === undefined) return new Exception(1002, "UNKNOWN_EXCEPTION", text);
  return new Exception(Number(found["code"]), found["type"] ?? "", found["message"] ?? "");
}

const statuses = new Map([
  [60, 404],
  [81, 404],
  [159, 408],
  [164, 403],
  [202, 503],
  [241, 500],
  [307, 413],
  [394, 499],
  [497, 403],
  [516, 403],
  [1002, 500],
]);

/** The HTTP status of a ClickHouse error; the client needs it only to be none of 2xx. */
export function httpStatus(code: number): number {
  return statuses.get(code) ?? 400;
}
