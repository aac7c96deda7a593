import type { NewPerson } from "./new-person.ts";
import { OWN_PAGE } from "./session-of.ts";
import { createHmac } from "node:crypto";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;

/** The code that an authenticator shows for a secret (RFC 6238 with SHA-1, six digits), now or `stepsLater` time steps later. */
export function authenticatorCode(secret: string, stepsLater = 0): string {
  const bits = Array.from(secret, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(Array.from(bits.matchAll(/[01]{8}/g), ([byte]) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + stepsLater));
  const mac = createHmac("sha1", key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, "0");
}

interface Setup {
  otp_secret: string;
  recovery_codes: string[];
}

/**
 * Switches the authenticator on, which ends the user's session and uses up the current code. The code of the next time step
 * is accepted already.
 */
export async function switchOnAuthenticator({ context }: NewPerson): Promise<{ secret: string; recovery: string[] }> {
  const setupReply = await context.request.get("/api/otp_secret_generate", { headers: OWN_PAGE });
  const { otp_secret: secret, recovery_codes: recovery } = (await setupReply.json()) as Setup;
  const query = new URLSearchParams({ code: authenticatorCode(secret), secret });
  const saved = await context.request.post(`/api/otp_secret_save?${query.toString()}`, { headers: OWN_PAGE });
  if (!saved.ok()) throw new Error(`The code was answered ${saved.status()}: ${await saved.text()}`);
  return { secret, recovery };
}
