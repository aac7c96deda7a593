import { startLab } from "./lab/start-lab.ts";
import type { Lab } from "./lab/start-lab.ts";
import type { FromDemo, ToDemo } from "./messages.ts";
import { runDemo } from "./run-demo.ts";

/**
 * The demo's process, which keeps lab, traffic and history off the platform's event loop. `start-demo.ts` starts and controls
 * it by messages. It exits with its parent, when the pipe on standard input closes.
 */
const ending = new AbortController();
let lab: Lab | undefined;
let running: Promise<void> | undefined;

const tell = (message: FromDemo): void => {
  if (process.connected) process.send?.(message, () => {});
};

async function follow(message: ToDemo): Promise<void> {
  switch (message.kind) {
    case "open-lab": {
      const { seed, port } = message;
      // If another program has taken the port meanwhile, use any free one.
      lab = await startLab({ port, seed }).catch(() => startLab({ port: 0, seed }));
      tell({ kind: "lab", url: lab.url, port: Number(new URL(lab.url).port) });
      return;
    }
    case "begin":
      if (lab === undefined || running !== undefined) throw new Error("begin needs an open lab, and is sent once");
      running = runDemo(message, lab, tell, ending.signal);
      return running;
    case "stop":
      return end();
  }
}

async function end(): Promise<void> {
  ending.abort();
  await running?.catch(() => {});
  await lab?.stop();
  process.exit(0);
}

process.on("message", (message) => {
  follow(message as ToDemo).catch((error: unknown) => {
    console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  });
});
process.on("disconnect", () => void end());
// Ctrl+C in a terminal signals the whole process group. The platform decides when this process exits.
process.on("SIGINT", () => {});
process.stdin.on("end", () => void end());
process.stdin.on("error", () => void end());
process.stdin.resume();
