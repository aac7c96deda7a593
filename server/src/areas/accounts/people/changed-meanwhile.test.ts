import { type Manager, type Profile, type SubUser, TEXTS } from "@millrace/contract";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { createApp } from "../../apps/index.ts";
import { accountsServer, newOwner } from "../testing/accounts-server.ts";
import { asUser } from "../testing/as-user.ts";
import { ticketTo } from "../testing/ticket-links.ts";

const pg = await testPostgres();
const { app, mails } = await accountsServer(pg.pool);
const password = "their-own-secret";

const KINDS = [
  { kind: "sub-user", list: "sub_users", path: "/profile/guest", invite: "invite", more: { role_code: "SDEV" } },
  { kind: "manager", list: "managers", path: "/manager", invite: "add_manager", more: { is_super_manager: true } },
] as const;

/** An owner with two apps who has invited somebody. */
async function ownerWith({ list, path, invite, more, kind }: (typeof KINDS)[number], state: string) {
  const email = `owner-${kind}-${state}@example.com`;
  const { accountId } = await newOwner(pg.pool, email);
  const ask = await asUser(app, email);
  const [tide, chess] = await Promise.all(
    ["tide", "chess"].map((name) =>
      createApp(pg.pool, accountId, { name, bundleId: `com.example.${name}`, platform: "android" }),
    ),
  );
  const invited = `${kind}-${state}@example.com`;
  expect((await ask("POST", `${path}/${invite}`, { email: invited, name: "Mia", ...more })).statusCode).toBe(200);
  if (state === "active") {
    const url = `/ticket/${await ticketTo(mails, invited)}.json`;
    const pass = { pass: password, pass_confirm: password };
    expect((await app.inject({ method: "POST", url, payload: pass })).statusCode).toBe(200);
  }
  const read = async () => (await ask("GET", "/profile.json")).json<Profile>()[list][0] as SubUser | Manager;
  return {
    tide: tide?.id ?? 0,
    chess: chess?.id ?? 0,
    read,
    edit: (body: object, revision?: string) =>
      read().then(({ uuid }) =>
        ask("POST", `${path}/${uuid}/edit${revision === undefined ? "" : `?revision=${revision}`}`, body),
      ),
  };
}

test.each(KINDS.flatMap((kind) => ["active", "invited"].map((state) => ({ ...kind, state }))))(
  "a form of a $kind ($state) that was opened before somebody took rights away does not give them back",
  async ({ state, ...kind }) => {
    const { tide, read, edit } = await ownerWith(kind, state);
    const opened = await read();
    const narrowed = kind.list === "managers" ? { is_super_manager: false, app_ids: [tide] } : { app_ids: [tide] };
    // The second is a retry after a lost reply.
    for (const _ of ["first", "second"]) expect((await edit(narrowed, opened.revision)).statusCode).toBe(200);
    const stale = await edit({ name: "Maria", app_ids: null, ...kind.more }, opened.revision);
    expect([stale.statusCode, stale.json()]).toEqual([409, { error: TEXTS.stale }]);
    expect(await read()).toMatchObject({ name: "Mia", ...narrowed });
    // A caller that sends no revision replaces whatever there is.
    expect((await edit({ name: "Maria" })).statusCode).toBe(200);
    expect((await read()).name).toBe("Maria");
  },
);

test.each(KINDS)("the reply to a $kind's change has the revision of the next one", async (kind) => {
  const { tide, chess, read, edit } = await ownerWith(kind, "next");
  const none = kind.list === "managers" ? { is_super_manager: false } : {};
  // Apps in another order, and one of them twice.
  const changed = (await edit({ ...none, app_ids: [chess, tide, chess] }, (await read()).revision)).json<Manager>();
  expect(changed.revision).toBe((await read()).revision);
  expect((await edit({ name: "Maria" }, changed.revision)).statusCode).toBe(200);
});
