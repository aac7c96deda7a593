import { freePort } from "./platform/http/free-port.ts";
import type { Settings } from "./platform/settings.ts";
import { StartError } from "./platform/start-error.ts";

/** The port to listen on: PORT, or a free one if that is 0. Throws StartError if HOST cannot be listened on. */
export async function choosePort({ host, port }: Settings): Promise<number> {
  if (port !== 0) return port;
  try {
    return await freePort(host);
  } catch (error) {
    throw listenFailure(error, host, port);
  }
}

/** Explains why an address cannot be listened on, naming the setting to change; returns any other error unchanged. */
export function listenFailure(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "EADDRINUSE":
      return new StartError(`Port ${port} is in use; set PORT to another one.`);
    case "EACCES":
      return new StartError(`Port ${port} may not be used by this user; set PORT to one above 1023.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartError(`The setting HOST is wrong: ${host} is not an address of this machine.`);
    default:
      return error;
  }
}

/** The host to call for an address to listen on: loopback for all interfaces, and brackets around IPv6. */
export function callableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
