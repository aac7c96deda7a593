import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import type { IdentityProviderSettings } from "../../../platform/settings.ts";
import { identityProviders } from "./identity-providers.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A local identity provider with a given answer. */
async function identityProvider(answer: (issuer: string) => RequestListener): Promise<IdentityProviderSettings> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on("request", answer(issuer));
  return { issuer, clientId: "id", clientSecret: "secret" };
}
const description = (issuer: string, more: object = {}) =>
  JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth`, jwks_uri: `${issuer}/jwks`, ...more });
const providersOf = (social: Parameters<typeof identityProviders>[0]["social"], clock = { now: () => Date.now() }) =>
  identityProviders({ social, clock, log: silentLog });
const AWAY = {
  code: "unavailable",
  error: "Google does not answer right now. Please try again or sign in another way",
  retryAfterSeconds: 30,
};

test("concurrent callers share one discovery, which is repeated after an hour", async () => {
  let asked = 0;
  let nowMs = 0;
  const google = await identityProvider((issuer) => (_, reply) => {
    asked++;
    reply.setHeader("content-type", "application/json").end(description(issuer, { token_endpoint: `${issuer}/token` }));
  });
  const providers = providersOf({ google }, { now: () => nowMs });
  await Promise.all([1, 2, 3].map(() => providers.discover("google")));
  nowMs += 3_599_000;
  await providers.discover("google");
  expect(asked).toBe(1);
  nowMs += 2000;
  await providers.discover("google");
  expect(asked).toBe(2);
});

test("a failed discovery is reported and retried, and an earlier result stays in use", async () => {
  let isThere = false;
  let nowMs = 0;
  const google = await identityProvider((issuer) => (_, reply) => {
    if (!isThere) return void reply.writeHead(500).end();
    reply.setHeader("content-type", "application/json").end(description(issuer, { token_endpoint: `${issuer}/token` }));
  });
  const providers = providersOf({ google }, { now: () => nowMs });
  await expect(providers.discover("google")).rejects.toMatchObject(AWAY);
  isThere = true;
  const found = await providers.discover("google");
  expect(found.serverMetadata().token_endpoint).toBe(`${google.issuer}/token`);
  isThere = false;
  nowMs += 3_601_000;
  expect(await providers.discover("google")).toBe(found);
});

test("discovery gives up after five seconds on a silent or dripping server", async () => {
  const silent = await identityProvider(() => () => {});
  const drip = await identityProvider(() => (_, reply) => {
    reply.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => reply.write(" "), 100);
    reply.on("close", () => clearInterval(timer));
  });
  const before = performance.now();
  await Promise.all(
    [silent, drip].map((google) => expect(providersOf({ google }).discover("google")).rejects.toMatchObject(AWAY)),
  );
  const tookMs = performance.now() - before;
  expect([tookMs > 4000, tookMs < 8000]).toEqual([true, true]);
}, 15_000);

test.each(["http://127.0.0.2:1", "http://id.example.com", "https://127.0.0.1:1"])(
  "%s is unavailable",
  async (issuer) => {
    const google = { issuer, clientId: "id", clientSecret: "secret" };
    await expect(providersOf({ google }).discover("google")).rejects.toMatchObject(AWAY);
  },
);

test("a discovery document with another issuer is refused", async () => {
  const google = await identityProvider(() => (_, reply) => {
    reply.setHeader("content-type", "application/json").end(description("https://accounts.google.com"));
  });
  await expect(providersOf({ google }).discover("google")).rejects.toMatchObject(AWAY);
});

test("a missing token endpoint is filled in for Facebook and not for Google", async () => {
  const described = await identityProvider((issuer) => (_, reply) => {
    reply.setHeader("content-type", "application/json").end(description(issuer));
  });
  const providers = providersOf({ google: described, facebook: described });
  const endpointOf = async (service: "google" | "facebook") =>
    (await providers.discover(service)).serverMetadata().token_endpoint;
  expect(await endpointOf("facebook")).toBe("https://graph.facebook.com/oauth/access_token");
  expect(await endpointOf("google")).toBeUndefined();
});

test("an identity provider without settings is not found", async () => {
  const providers = providersOf({});
  await expect(providers.discover("facebook")).rejects.toMatchObject({
    code: "not_found",
    error: "Facebook is not offered here",
  });
  expect(() => providers.demand("google")).toThrow("Google is not offered here");
});
