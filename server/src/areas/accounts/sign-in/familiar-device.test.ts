import type { FastifyReply, FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { sealer } from "../../../platform/sealed/sealer.ts";
import { claimsDevice, familiarDevice, rememberDevice } from "./familiar-device.ts";

const seal = sealer(["a secret for tests of at least 32 bytes"]);
const ada = { email: "ada@example.com", passwordHash: "hash of ada's" };
const eve = { email: "eve@example.com", passwordHash: "hash of eve's" };
const holding = (cookie?: string) =>
  ({ protocol: "https", cookies: { "__Host-millrace-device": cookie } }) as unknown as FastifyRequest;

/** Signs in and returns the browser's device cookie. */
function after(user: typeof ada, held?: string): string {
  let set = "";
  const reply = { setCookie: (_name: string, value: string) => (set = value) } as unknown as FastifyReply;
  rememberDevice(seal, { request: holding(held), reply }, user);
  return set;
}

test("a browser is familiar to the users who signed in with it, and to nobody else", () => {
  const request = holding(after(ada));
  expect(familiarDevice(seal, request, ada)).toMatch(/^[0-9a-f-]{36}$/);
  expect(claimsDevice(seal, request, "Ada@Example.com")).toBe(true);
  expect([familiarDevice(seal, request, eve), claimsDevice(seal, request, eve.email)]).toEqual([null, false]);
  expect(familiarDevice(seal, holding(), ada)).toBeNull();
});

test("five users can share a browser; a sixth replaces the one least recently signed in", () => {
  const family = Array.from({ length: 6 }, (_, nth) => ({ email: `no${nth}@example.com`, passwordHash: "x" }));
  let cookie: string | undefined;
  for (const person of family) cookie = after(person, cookie);
  const known = family.filter((person) => familiarDevice(seal, holding(cookie), person) !== null);
  expect(known).toEqual(family.slice(1));
});

test("a new password makes a browser unfamiliar until the next sign-in", () => {
  const cookie = after(ada);
  const renewed = { ...ada, passwordHash: "another" };
  expect(familiarDevice(seal, holding(cookie), renewed)).toBeNull();
  expect(familiarDevice(seal, holding(after(renewed, cookie)), renewed)).not.toBeNull();
});

test("a changed, forged or foreign cookie is ignored", () => {
  const cookie = after(ada);
  const foreign = sealer(["the secret of another platform, 32 bytes"])
    .seal("{}", "familiar device")
    .toString("base64url");
  for (const wrong of [
    `${cookie.slice(0, -4)}AAAA`,
    "made-up",
    "",
    foreign,
    seal.seal("{}", "familiar device").toString("base64url"),
  ]) {
    expect(familiarDevice(seal, holding(wrong), ada)).toBeNull();
  }
});
