import { isIP } from "node:net";
import { DEMO_ADDRESS_HEADER, DEMO_KEY_HEADER } from "../../demo/src/index.ts";
import type { FastifyInstance } from "fastify";
import { isSecret } from "./platform/secrets/token.ts";

/**
 * Lets only the demo's devices name their own address. They all run on this machine and send a key that only this
 * process and the demo have.
 */
export function trustDemoDevices(app: FastifyInstance, key: string): void {
  app.addHook("onRequest", async (request) => {
    const { [DEMO_KEY_HEADER]: given, [DEMO_ADDRESS_HEADER]: address } = request.headers;
    if (typeof given !== "string" || typeof address !== "string") return;
    if (isIP(address) !== 0 && isSecret(given, key)) Object.defineProperty(request, "ip", { value: address });
  });
}
