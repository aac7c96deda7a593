import { afterAll, expect, test } from "vitest";
import { trustDemoDevices } from "./demo-devices.ts";
import { buildServer } from "./platform/http/build-server.ts";
import { silentLog } from "./platform/log.ts";
import { newToken } from "./platform/secrets/token.ts";

const KEY = newToken();
const app = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null });
trustDemoDevices(app, KEY);
// In a separate scope, like the exchange's routes.
await app.register(async (scope) => {
  scope.get("/ip", async (request) => request.ip);
});
afterAll(() => app.close());

const addressWith = async (headers: Record<string, string>) => (await app.inject({ url: "/ip", headers })).body;

test("a demo device with the key sets its own address", async () => {
  const headers = { "x-millrace-demo-key": KEY, "x-millrace-demo-address": "203.0.113.9" };
  expect(await addressWith(headers)).toBe("203.0.113.9");
});

test.each([
  ["another key", { "x-millrace-demo-key": newToken(), "x-millrace-demo-address": "203.0.113.9" }],
  ["no key", { "x-millrace-demo-address": "203.0.113.9" }],
  ["no address", { "x-millrace-demo-key": KEY, "x-millrace-demo-address": "somewhere" }],
  ["a forwarded address, though it comes from this machine", { "x-forwarded-for": "203.0.113.9" }],
])("with %s a request keeps its real address", async (_, headers) => {
  expect(await addressWith(headers)).toBe("127.0.0.1");
});
