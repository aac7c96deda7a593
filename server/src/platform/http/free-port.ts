import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Above the well-known ports and those that browsers refuse, below 32,768: from there on Linux hands ports to connections. */
const PORTS = { from: 20_000, before: 32_768 };

/**
 * A port that is free now. For `PORT=0`, if links must contain the port before it is bound. It is none that the system would
 * give to an outgoing connection until then. Rejects if `host` is not an address of this machine, or all ports are in use.
 */
export async function freePort(host: string): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = randomInt(PORTS.from, PORTS.before);
    try {
      await listenOnce(host, port);
      return port;
    } catch (error) {
      const inUse = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
      if (!inUse || tries === 100) throw error;
    }
  }
}

function listenOnce(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}
