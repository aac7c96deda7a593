import { Email } from "@millrace/contract";
import { clearAuthenticator } from "./areas/accounts/index.ts";
import { systemClock } from "./platform/clock.ts";
import type { Settings } from "./platform/settings.ts";
import { StartError } from "./platform/start-error.ts";
import { withStores } from "./with-stores.ts";

/**
 * `millrace authenticator off --email …`: removes the authenticator and recovery codes of a user who lost both; the
 * password stays. Throws StartError if no user with this e-mail has one, and while a platform runs on the embedded
 * stores.
 */
export async function authenticatorOff(settings: Settings, address: string | undefined): Promise<void> {
  const { data: email } = Email.safeParse(address ?? "");
  if (email === undefined) throw new StartError("Specify the user: millrace authenticator off --email you@example.com");
  await withStores(settings, async ({ postgres }) => {
    const cleared = await clearAuthenticator({ pool: postgres.pool, clock: systemClock }, email);
    if (!cleared) throw new StartError(`No user with the e-mail ${email.toLowerCase()} has an authenticator.`);
    process.stdout.write(`The authenticator of ${email.toLowerCase()} is off, and their sessions have ended.\n`);
  });
}
