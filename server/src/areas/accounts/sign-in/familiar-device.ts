import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { hostCookie } from "../../../platform/http/host-cookie.ts";
import type { Sealer } from "../../../platform/sealed/sealer.ts";
import { tokenHash } from "../../../platform/secrets/token.ts";

/** Browsers keep no cookie for longer. */
const COOKIE_DAYS = 400;
const deviceCookie = hostCookie("millrace-device", COOKIE_DAYS * 86_400);
const PURPOSE = "familiar device";
/** One browser may belong to a family. */
const MOST_PEOPLE = 5;

/**
 * The content of the cookie. It is sealed by the platform's secret, so it survives restarts and cannot be read or
 * forged.
 */
const Device = z.object({
  id: z.string(),
  /** Hashes of the e-mail and of the password hash, so that a new password makes the device unfamiliar. */
  people: z.array(z.object({ email: z.string(), password: z.string() })),
});
type Device = z.infer<typeof Device>;

export interface DeviceUser {
  email: string;
  passwordHash: string | null;
}

const personOf = ({ email, passwordHash }: DeviceUser) => ({
  email: tokenHash(email.toLowerCase()),
  password: tokenHash(passwordHash ?? ""),
});

/** Whether a user with this e-mail has signed in here, without a query to the store. */
export const claimsDevice = (sealer: Sealer, request: FastifyRequest, email: string): boolean => {
  const hash = tokenHash(email.toLowerCase());
  return readDevice(sealer, request)?.people.some((person) => person.email === hash) === true;
};

/**
 * The id of a device on which the user has signed in with the current password, or null. It grants no access; its tries
 * are counted separately, so that strangers' guesses do not lock the user out.
 */
export function familiarDevice(sealer: Sealer, request: FastifyRequest, user: DeviceUser): string | null {
  const device = readDevice(sealer, request);
  const { email, password } = personOf(user);
  const isKnown = device?.people.some((person) => person.email === email && person.password === password) === true;
  return isKnown ? device.id : null;
}

/** Makes the browser a familiar device of the user, along with others who sign in on it. */
export function rememberDevice(
  sealer: Sealer,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  user: DeviceUser,
): void {
  const { id, people } = readDevice(sealer, request) ?? { id: randomUUID(), people: [] };
  const person = personOf(user);
  const others = people.filter(({ email }) => email !== person.email);
  const device: Device = { id, people: [person, ...others].slice(0, MOST_PEOPLE) };
  deviceCookie.set(request, reply, sealer.seal(JSON.stringify(device), PURPOSE).toString("base64url"));
}

function readDevice(sealer: Sealer, request: FastifyRequest): Device | null {
  const cookie = deviceCookie.read(request);
  if (cookie === undefined) return null;
  try {
    return Device.parse(JSON.parse(sealer.open(Buffer.from(cookie, "base64url"), PURPOSE)));
  } catch {
    // From another platform or an older secret, or forged.
    return null;
  }
}
