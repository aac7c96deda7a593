import { pino } from "pino";
import type { Log } from "./platform/log.ts";
import type { Settings } from "./platform/settings.ts";

/** Names under which a secret could travel; their values never reach a log line. */
const SECRETS = ["password", "pass", "token", "secret", "code", "otp_code", "authorization", "cookie"];

/** JSON lines on standard error; standard output belongs to the person who starts the platform. */
export function createLog(level: Settings["logLevel"]): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: "[redacted]" },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
