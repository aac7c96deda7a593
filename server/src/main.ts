import { parseArgs } from "node:util";
import { authenticatorOff } from "./authenticator-off.ts";
import { errorMessage } from "./platform/error-message.ts";
import { readSettings } from "./platform/settings.ts";
import { StartError, failureText } from "./platform/start-error.ts";
import { clearDemoData } from "./clear-demo-data.ts";
import { createAdmin } from "./create-admin.ts";
import { moveEvents } from "./move-events.ts";
import { type Roles, rolesNamed } from "./roles.ts";
import { type PartArgs, READY, startExchanges } from "./start-exchanges.ts";
import { startPlatform } from "./start-platform.ts";

const USAGE = `Usage: millrace [command]

  start         start the platform (the default)
  start --role exchange|dashboard|worker
                start only what sells ads, what serves the web, or what runs jobs
  demo clear    delete all demo data, and nothing else
  admin create --email you@example.com
                create an admin, with a random password that is printed once
  move events   move the embedded store's events and statistics into the empty database of
                CLICKHOUSE_URL
  authenticator off --email you@example.com
                remove the authenticator of a user who lost it and its recovery codes

Settings are environment variables; README.md lists them.`;

async function main(): Promise<void> {
  const { positionals, values } = readArguments();
  const command = positionals.join(" ") || "start";
  if (values.help === true) return void process.stdout.write(`${USAGE}\n`);
  if (command === "start") return startUntilStopped(rolesNamed(values.role ?? []), values.part);
  if (command === "admin create") return createAdmin(readSettings(process.env), values.email);
  if (command === "authenticator off") return authenticatorOff(readSettings(process.env), values.email);
  if (command === "move events") return moveEvents(readSettings(process.env));
  if (command === "demo clear") return clearDemoData(readSettings(process.env));
  throw new StartError(`There is no command "${command}".\n\n${USAGE}`);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        email: { type: "string" },
        role: { type: "string", multiple: true },
        // Of a process that another one of the platform starts.
        part: { type: "string" },
      },
    });
  } catch (error) {
    throw new StartError(`${errorMessage(error)}\n\n${USAGE}`);
  }
}

/** npm forwards the Ctrl-C that the terminal has already sent: two signals this close together count as one. */
const SAME_SIGNAL_MS = 1000;

/** Runs the platform until SIGTERM or SIGINT, which while it starts is obeyed once it has; a second signal exits immediately. */
async function startUntilStopped(roles: Roles, partArgs: string | undefined): Promise<void> {
  const settings = readSettings(process.env);
  const isPart = partArgs !== undefined;
  const args = isPart ? (JSON.parse(partArgs) as PartArgs) : {};
  const isSeveral = settings.exchanges > 1 && roles.has("exchange");
  let onLost = (): void => process.exit(1);
  const started = isSeveral
    ? startExchanges(settings, roles)
    : startPlatform(settings, { roles, ...args, isChild: isPart, onLost: () => onLost() });
  let stoppingSince: number | undefined;
  const stop = (code: number): void => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    void started
      .then((platform) => platform.stop())
      .then(
        () => process.exit(code),
        () => process.exit(1),
      );
  };
  process.on("SIGTERM", () => stop(0));
  // In a terminal, Ctrl-C reaches all processes; the one that started this one stops it in order.
  process.on("SIGINT", () => (isPart ? undefined : stop(0)));
  await started;
  onLost = () => stop(1);
  if (isPart) process.send?.(READY);
}

main().catch((error: unknown) => {
  process.stderr.write(`${failureText(error)}\n`);
  process.exit(1);
});
