/**
 * The process that holds chDB. Its parent tells it what to open, and to end; it ends with its parent in any case. It
 * prints nothing: what it has to say it says to its parent or to a client.
 */
import { rmSync } from "node:fs";
import { openEngine } from "./engine.ts";
import { forgetLostBlocks } from "./forget-lost-blocks.ts";
import { createFront } from "./http-front.ts";

export type ChildOrder =
  | {
      kind: "start";
      path: string;
      socket: string;
      user: string;
      secret: string;
      connections: number;
      maxMemoryBytes: number;
      maxBodyBytes: number;
      backupDir?: string;
    }
  | { kind: "stop" };

const DRAIN_MS = 2_000;
let stop = async (): Promise<void> => undefined;

// The parent died, however: what we acknowledged is on disk, and leaving in order could block on a running query.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => void end());
process.on("message", (order: ChildOrder) => void (order.kind === "stop" ? end() : start(order)));

async function start(order: Extract<ChildOrder, { kind: "start" }>): Promise<void> {
  await forgetLostBlocks(order.path);
  const engine = await openEngine(order);
  const server = createFront({ engine, ...order });
  rmSync(order.socket, { force: true });
  await new Promise<void>((done) => server.listen(order.socket, done));
  stop = async () => {
    const closed = new Promise<void>((done) => server.close(() => done()));
    server.closeIdleConnections();
    await Promise.race([closed, new Promise((done) => setTimeout(done, DRAIN_MS))]);
    server.closeAllConnections();
    await engine.close();
  };
  process.send?.("ready");
}

async function end(): Promise<void> {
  await stop();
  process.exit(0);
}
