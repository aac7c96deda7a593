import { authenticatorCode } from "./authenticator-code.ts";
import type { NewPerson } from "./new-person.ts";
import { OWN_PAGE } from "./session-of.ts";

interface Setup {
  otp_secret: string;
  recovery_codes: string[];
}

/**
 * Switches an authenticator on for somebody; their session ends with that. The code of now is used up: the next half
 * minute's is good already.
 */
export async function switchOnAuthenticator({ context }: NewPerson): Promise<{ secret: string; recovery: string[] }> {
  const made = await context.request.get("/api/otp_secret_generate", { headers: OWN_PAGE });
  const { otp_secret: secret, recovery_codes: recovery } = (await made.json()) as Setup;
  const query = new URLSearchParams({ code: authenticatorCode(secret), secret });
  const saved = await context.request.post(`/api/otp_secret_save?${query.toString()}`, { headers: OWN_PAGE });
  if (!saved.ok()) throw new Error(`The code was answered ${saved.status()}: ${await saved.text()}`);
  return { secret, recovery };
}
