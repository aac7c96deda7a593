import { type DestinationStream, pino } from "pino";
import type { Log } from "./platform/log.ts";
import type { Settings } from "./platform/settings.ts";

/** Field names that may carry a secret; their values are never logged. */
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
/** An error's own `code` is a name (`ECONNREFUSED`, `ERR_…`, a SQLSTATE) and is logged; a six-digit code is not. */
const FAILURE = /^(?:[A-Z][A-Z0-9_]+|[0-9A-Z]{5})$/;
/** Fields in which PostgreSQL quotes a refused row, which may contain hashes and addresses of users. */
const ROWS = ["err.detail", "err.where"];

/** JSON lines on standard error; standard output is for the person who starts the platform. */
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

/** What PostgreSQL says of each connection that is still open, or comes, when it is stopped, which only the platform does. */
const STOPPED = /FATAL: +(terminating connection due to administrator command|the database system is shutting down)$/;

/** Adds a store's own lines to the log. Routine lines of PostgreSQL are logged at debug level. */
export const storeLines =
  (log: Log, store: string) =>
  (text: string): void =>
    / LOG: /.test(text) || STOPPED.test(text) ? log.debug({ store }, text) : log.info({ store }, text);
