import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type NetConnectOpts, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** What a firewall does with the far ends of the connections that it forgets. The near ends hear nothing in either case. */
type FarEnds = "ended" | "kept";

interface Firewall {
  /** Forgets all connections there are, without a word to the client; new ones pass. */
  forget(farEnds: FarEnds): void;
}

/** Stands in front of a server until the test ends, at a port or socket file. */
async function stand(real: NetConnectOpts, at: { path: string } | { port: number }): Promise<Firewall> {
  const pairs: [Socket, Socket][] = [];
  const server = createServer((client) => {
    const store = connect(real);
    pairs.push([client, store]);
    client.on("error", () => store.destroy()).pipe(store);
    store.on("error", () => client.destroy()).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(at, resolve));
  onTestFinished(() => {
    for (const socket of pairs.flat()) socket.destroy();
    server.close();
  });
  return {
    forget(farEnds) {
      for (const [client, store] of pairs.splice(0)) {
        client.unpipe().resume();
        store.unpipe().resume();
        if (farEnds === "ended") store.destroy();
        onTestFinished(() => void [client, store].map((socket) => socket.destroy()));
      }
    },
  };
}

/** In front of the PostgreSQL at this url. */
export async function postgresFirewall(postgresUrl: string): Promise<Firewall & { url: string }> {
  const url = new URL(postgresUrl);
  // The port of an address that names none.
  const file = ".s.PGSQL.5432";
  const real = { path: join(url.searchParams.get("host") ?? "", file) };
  const dir = await mkdtemp(join(tmpdir(), "millrace-firewall-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  url.searchParams.set("host", dir);
  return { url: url.href, ...(await stand(real, { path: join(dir, file) })) };
}

/** In front of the Redis at this url, at a free port. */
export async function redisFirewall(redisUrl: string, port: number): Promise<Firewall & { url: string }> {
  const { hostname, port: real } = new URL(redisUrl);
  return { url: `redis://127.0.0.1:${port}`, ...(await stand({ host: hostname, port: Number(real) }, { port })) };
}
