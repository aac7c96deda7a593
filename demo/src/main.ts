import { startLab } from "./lab/start-lab.ts";
import type { Lab } from "./lab/start-lab.ts";
import type { FromDemo, ToDemo } from "./messages.ts";
import { runDemo } from "./run-demo.ts";

/**
 * The demo's own process: lab, traffic and history away from the platform's event loop. Started by `start-demo.ts`, which
 * tells it what to do by messages. It ends with its parent: when that is gone, so is the pipe on standard input.
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
      // Where another program has taken the port meanwhile, any other will do.
      lab = await startLab({ port, seed }).catch(() => startLab({ port: 0, seed }));
      tell({ kind: "lab", url: lab.url, port: Number(new URL(lab.url).port) });
      return;
    }
    case "begin":
      if (lab === undefined || running !== undefined) throw new Error("the lab opens first, and the demo begins once");
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
// The terminal's Ctrl+C goes to every process of the group; the platform decides when this one ends.
process.on("SIGINT", () => {});
process.stdin.on("end", () => void end());
process.stdin.on("error", () => void end());
process.stdin.resume();
