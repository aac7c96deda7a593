import { AGREEMENT_VERSION, Email } from "@millrace/contract";
import { randomBytes } from "node:crypto";
import { hashPassword, insertOwner } from "./areas/accounts/index.ts";
import { recordAct } from "./areas/audit/index.ts";
import { systemClock } from "./platform/clock.ts";
import { inTransaction } from "./platform/postgres/in-transaction.ts";
import type { Settings } from "./platform/settings.ts";
import { StartError } from "./platform/start-error.ts";
import { withStores } from "./with-stores.ts";

/**
 * `millrace admin create --email …`: creates the first login of a platform without a demo. Its random password is
 * printed once. Throws StartError for an invalid or taken e-mail, and while a platform runs on the embedded stores.
 */
export async function createAdmin(settings: Settings, address: string | undefined): Promise<void> {
  const { data: email } = Email.safeParse(address ?? "");
  if (email === undefined) throw new StartError("Specify the e-mail: millrace admin create --email you@example.com");
  const password = randomBytes(12).toString("base64url");
  const passwordHash = await hashPassword(password);
  await withStores(settings, async ({ postgres }) => {
    const admin = {
      email,
      name: "Admin",
      passwordHash,
      role: "admin",
      canApps: true,
      canCampaign: true,
      agreedVersion: AGREEMENT_VERSION,
      demo: false,
    } as const;
    await inTransaction(postgres.pool, async (client) => {
      const made = await insertOwner(client, admin);
      if (!made) throw new StartError(`${email.toLowerCase()} already has a login.`);
      // Nobody is signed in at a command line: the other admins see from the log that there is one more.
      await recordAct(
        { pool: client, clock: systemClock },
        {},
        {
          action: "admin_created",
          subject: String(made.userId),
          accountId: made.accountId,
          details: { by: "operator" },
        },
      );
    });
    process.stdout.write(`Admin ${email.toLowerCase()}\nPassword ${password}\n`);
  });
}
