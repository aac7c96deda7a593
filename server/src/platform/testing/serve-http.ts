import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { someCertificate } from "./some-certificate.ts";

/** Starts a server on this machine that closes after the test. Resolves to its origin. */
export async function serveHttp(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listenOn(createServer(listener))}`;
}

/** The same over TLS, as `localhost`, with its own certificate. */
export async function serveHttps(listener: RequestListener): Promise<{ origin: string; certificate: string }> {
  const { key, cert } = someCertificate();
  return { origin: `https://localhost:${await listenOn(createTlsServer({ key, cert }, listener))}`, certificate: cert };
}

async function listenOn(server: Server | TlsServer): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}
