import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import type { SocialNetwork } from "../../../platform/settings.ts";
import { socialNetworks } from "./networks.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A network on this machine that answers as it is told to. */
async function network(answer: (issuer: string) => RequestListener): Promise<SocialNetwork> {
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
const networksOf = (social: Parameters<typeof socialNetworks>[0]["social"], clock = { now: () => Date.now() }) =>
  socialNetworks({ social, clock, log: silentLog });
const AWAY = {
  code: "unavailable",
  error: "Google does not answer right now. Please try again or sign in otherwise",
  retryAfterSeconds: 30,
};

test("a network is asked once, by many at a time too, and again after an hour", async () => {
  let asked = 0;
  let nowMs = 0;
  const google = await network((issuer) => (_, reply) => {
    asked++;
    reply.setHeader("content-type", "application/json").end(description(issuer, { token_endpoint: `${issuer}/token` }));
  });
  const networks = networksOf({ google }, { now: () => nowMs });
  await Promise.all([1, 2, 3].map(() => networks.discover("google")));
  nowMs += 3_599_000;
  await networks.discover("google");
  expect(asked).toBe(1);
  nowMs += 2000;
  await networks.discover("google");
  expect(asked).toBe(2);
});

test("a network that is away is told of, asked again the next time, and what it said before stays good", async () => {
  let isThere = false;
  let nowMs = 0;
  const google = await network((issuer) => (_, reply) => {
    if (!isThere) return void reply.writeHead(500).end();
    reply.setHeader("content-type", "application/json").end(description(issuer, { token_endpoint: `${issuer}/token` }));
  });
  const networks = networksOf({ google }, { now: () => nowMs });
  await expect(networks.discover("google")).rejects.toMatchObject(AWAY);
  isThere = true;
  const found = await networks.discover("google");
  expect(found.serverMetadata().token_endpoint).toBe(`${google.issuer}/token`);
  isThere = false;
  nowMs += 3_601_000;
  expect(await networks.discover("google")).toBe(found);
});

test("a network that is silent, or drips its answer, is given up after five seconds", async () => {
  const silent = await network(() => () => {});
  const drip = await network(() => (_, reply) => {
    reply.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => reply.write(" "), 100);
    reply.on("close", () => clearInterval(timer));
  });
  const before = performance.now();
  await Promise.all(
    [silent, drip].map((google) => expect(networksOf({ google }).discover("google")).rejects.toMatchObject(AWAY)),
  );
  const tookMs = performance.now() - before;
  expect([tookMs > 4000, tookMs < 8000]).toEqual([true, true]);
}, 15_000);

test.each(["http://127.0.0.2:1", "http://id.example.com", "https://127.0.0.1:1"])(
  "nobody at %s, or nobody who may be asked, is away",
  async (issuer) => {
    const google = { issuer, clientId: "id", clientSecret: "secret" };
    await expect(networksOf({ google }).discover("google")).rejects.toMatchObject(AWAY);
  },
);

test("who calls itself by another name is not believed", async () => {
  const google = await network(() => (_, reply) => {
    reply.setHeader("content-type", "application/json").end(description("https://accounts.google.com"));
  });
  await expect(networksOf({ google }).discover("google")).rejects.toMatchObject(AWAY);
});

test("Facebook's description lacks its token endpoint, Google's would be wrong without", async () => {
  const described = await network((issuer) => (_, reply) => {
    reply.setHeader("content-type", "application/json").end(description(issuer));
  });
  const networks = networksOf({ google: described, facebook: described });
  const endpointOf = async (service: "google" | "facebook") =>
    (await networks.discover(service)).serverMetadata().token_endpoint;
  expect(await endpointOf("facebook")).toBe("https://graph.facebook.com/oauth/access_token");
  expect(await endpointOf("google")).toBeUndefined();
});

test("a network without settings is not found", async () => {
  const networks = networksOf({});
  await expect(networks.discover("facebook")).rejects.toMatchObject({
    code: "not_found",
    error: "Facebook is not offered here",
  });
  expect(() => networks.demand("google")).toThrow("Google is not offered here");
});
