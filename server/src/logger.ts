import { type DestinationStream, pino } from "pino";
import type { Log } from "./platform/log.ts";
import type { Settings } from "./platform/settings.ts";

/** Names under which a secret could travel; their values never reach a log line. */
const SECRETS = [
  "password",
  "pass",
  "token",
  "access_token",
  "secret",
  "otp_secret",
  "code",
  "otp_code",
  "recovery_code",
  "authorization",
  "cookie",
];
/** A failure's own `code` is a name (`ECONNREFUSED`, `ERR_…`, a SQLSTATE), by which it is told from others; six digits are no such. */
const FAILURE = /^(?:[A-Z][A-Z0-9_]+|[0-9A-Z]{5})$/;
/** Where PostgreSQL quotes the row that it refuses: hashes and addresses of people among it. */
const ROWS = ["err.detail", "err.where"];

/** JSON lines on standard error; standard output belongs to the person who starts the platform. */
export function createLog(
  level: Settings["logLevel"],
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [...SECRETS.flatMap((name) => [name, `*.${name}`]), ...ROWS],
        censor: (value: unknown, path) =>
          path.at(-2) === "err" && path.at(-1) === "code" && typeof value === "string" && FAILURE.test(value)
            ? value
            : "[redacted]",
      },
    },
    destination,
  );
}

/** Takes a store's own lines into the log. What a healthy PostgreSQL says of itself is for whoever looks for a fault. */
export const storeLines =
  (log: Log, store: string) =>
  (text: string): void =>
    / LOG: /.test(text) ? log.debug({ store }, text) : log.info({ store }, text);
