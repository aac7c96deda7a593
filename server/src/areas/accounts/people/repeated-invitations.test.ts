import type { Profile, SubUser } from "@millrace/contract";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { accountsServer, newOwner } from "../testing/accounts-server.ts";
import { asUser } from "../testing/as-user.ts";
import { ticketTo } from "../testing/ticket-links.ts";

const pg = await testPostgres();
const { app, mails } = await accountsServer(pg.pool);

const join = (ticket: string) =>
  app.inject({
    method: "POST",
    url: `/ticket/${ticket}.json`,
    payload: { pass: "their-own-secret", pass_confirm: "their-own-secret" },
  });

/** An owner who invites somebody, and what the profile says of that person. */
async function inviter(name: string) {
  await newOwner(pg.pool, `owner-${name}@example.com`);
  const ask = await asUser(app, `owner-${name}@example.com`);
  const email = `mia-${name}@example.com`;
  return {
    ask,
    email,
    invite: async (role_code: string) =>
      (await ask("POST", "/profile/guest/invite", { email, name: "Mia", role_code })).json<SubUser>(),
    roleShown: async () => (await ask("GET", "/profile.json")).json<Profile>().sub_users[0]?.role_code,
  };
}

test("an old page that takes rights from an invitation takes them from the newer link, too", async () => {
  const { ask, email, invite, roleShown } = await inviter("older-page");
  const first = await invite("SUSR");
  await ticketTo(mails, email, 1);
  await invite("SUSR");
  const newer = await ticketTo(mails, email, 2);
  const edit = `/profile/guest/${first.uuid}/edit?revision=${first.revision}`;
  expect((await ask("POST", edit, { role_code: "GST" })).statusCode).toBe(200);
  expect((await join(newer)).statusCode).toBe(200);
  expect(await roleShown()).toBe("GST");
});

test("an old page does not undo the rights of a repeated invitation", async () => {
  const { ask, email, invite, roleShown } = await inviter("other-rights");
  const first = await invite("SUSR");
  await ticketTo(mails, email, 1);
  await invite("GST");
  const edit = `/profile/guest/${first.uuid}/edit?revision=${first.revision}`;
  expect((await ask("POST", edit, { role_code: "SDEV" })).statusCode).toBe(409);
  expect(await roleShown()).toBe("GST");
});

test("the older link of a repeated invitation gives only the new rights while the newer mail waits", async () => {
  const { email, invite, roleShown } = await inviter("waiting-mail");
  await invite("SUSR");
  const older = await ticketTo(mails, email, 1);
  await invite("GST");
  await ticketTo(mails, email, 2);
  // As before its mail is made: until then, the older link works.
  await pg.pool.query(
    "UPDATE tickets SET salt_hash = '' WHERE number = (SELECT max(number) FROM tickets WHERE email = $1)",
    [email],
  );
  expect((await join(older)).statusCode).toBe(200);
  expect(await roleShown()).toBe("GST");
});
