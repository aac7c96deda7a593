import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

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

const CERTIFICATE =
  "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost";

function someCertificate(): { key: string; cert: string } {
  const dir = mkdtempSync(join(tmpdir(), "certificate-"));
  try {
    const [key, cert] = [join(dir, "key.pem"), join(dir, "cert.pem")];
    execFileSync("openssl", [...CERTIFICATE.split(" "), "-keyout", key, "-out", cert], { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
