import { parseArgs } from "node:util";
import { authenticatorOff } from "./authenticator-off.ts";
import { readSettings } from "./platform/settings.ts";
import { StartError } from "./platform/start-error.ts";
import { clearDemoData } from "./clear-demo-data.ts";
import { createAdmin } from "./create-admin.ts";
import { startPlatform } from "./start-platform.ts";

const USAGE = `Usage: millrace [command]

  start         start the platform (the default)
  demo clear    delete all demo data, and nothing else
  admin create --email you@example.com
                create an admin, with a random password that is printed once
  authenticator off --email you@example.com
                remove the authenticator of a user who lost it and its recovery codes

Settings are environment variables; README.md lists them.`;

async function main(): Promise<void> {
  const { positionals, values } = readArguments();
  const command = positionals.join(" ") || "start";
  if (values.help === true) return void process.stdout.write(`${USAGE}\n`);
  if (command === "start") return startUntilStopped();
  if (command === "admin create") return createAdmin(readSettings(process.env), values.email);
  if (command === "authenticator off") return authenticatorOff(readSettings(process.env), values.email);
  if (command === "demo clear") return clearDemoData(readSettings(process.env));
  throw new StartError(`There is no command "${command}".\n\n${USAGE}`);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { help: { type: "boolean", short: "h" }, email: { type: "string" } },
    });
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

/** npm forwards the Ctrl-C that the terminal has already sent: two signals this close together count as one. */
const SAME_SIGNAL_MS = 1000;

/** Runs the platform until SIGTERM or SIGINT; a second signal exits immediately. */
async function startUntilStopped(): Promise<void> {
  const platform = await startPlatform(readSettings(process.env));
  let stoppingSince: number | undefined;
  const stop = () => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    void platform.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

main().catch((error: unknown) => {
  const text = error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
