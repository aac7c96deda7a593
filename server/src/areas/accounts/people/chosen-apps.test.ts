import { type Manager, type Profile, type Session, type SubUser, TEXTS } from "@millrace/contract";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { createApp } from "../../apps/index.ts";
import { accountsServer, newOwner } from "../testing/accounts-server.ts";
import { type Ask, asUser } from "../testing/as-user.ts";
import { mailsTo } from "../testing/mails-to.ts";
import { ticketTo } from "../testing/ticket-links.ts";

const pg = await testPostgres();
const { app, mails } = await accountsServer(pg.pool);

let number = 0;
/** An owner with two apps. */
async function owner() {
  const email = `chooser${++number}@example.com`;
  const made = await newOwner(pg.pool, email);
  const add = (name: string) =>
    createApp(pg.pool, made.accountId, { name, bundleId: `com.example.${name}`, platform: "android" });
  return { ...made, ask: await asUser(app, email), tide: await add("tide"), chess: await add("chess") };
}
const invite = (ask: Ask, email: string, more: object) =>
  ask("POST", "/profile/guest/invite", { email, name: "Dee", role_code: "SDEV", ...more });
async function join(email: string): Promise<Ask> {
  const pass = { pass: "own-secret", pass_confirm: "own-secret" };
  const url = `/ticket/${await ticketTo(mails, email)}.json`;
  expect((await app.inject({ method: "POST", url, payload: pass })).statusCode).toBe(200);
  return asUser(app, email, { password: "own-secret" });
}
const sessionOf = async (ask: Ask) => (await ask("GET", "/session.json")).json<Session>();
const appIdsOf = async (email: string) =>
  (
    await pg.pool.query<{ app_ids: number[] | null }>(
      "SELECT app_ids FROM memberships JOIN users u ON u.id = user_id WHERE u.email = $1",
      [email],
    )
  ).rows[0]?.app_ids;

test("an invited person sees the apps that were chosen for them, and the owner changes them later", async () => {
  const { ask, tide, chess } = await owner();
  const made = (await invite(ask, "one@example.com", { app_ids: [tide.id] })).json<SubUser>();
  expect(made.app_ids).toEqual([tide.id]);
  const [mail] = await mailsTo(mails, "one@example.com", 1);
  expect(mail?.text).toContain(`You will see the app ${tide.name}.`);
  const theirs = await join("one@example.com");
  expect(await sessionOf(theirs)).toMatchObject({ role: "SDEV", has_all_apps: false });
  expect(await appIdsOf("one@example.com")).toEqual([tide.id]);
  const [{ uuid } = { uuid: "" }] = (await ask("GET", "/profile.json")).json<Profile>().sub_users;
  const edit = (body: object) => ask("POST", `/profile/guest/${uuid}/edit`, body);
  expect((await edit({ app_ids: [chess.id] })).json<SubUser>().app_ids).toEqual([chess.id]);
  // A change of the name leaves the apps alone.
  expect((await edit({ name: "Dora" })).json<SubUser>()).toMatchObject({ name: "Dora", app_ids: [chess.id] });
  expect((await edit({ app_ids: null })).json<SubUser>().app_ids).toBeNull();
  expect(await sessionOf(theirs)).toMatchObject({ has_all_apps: true });
});

test("the apps of a waiting invitation can be changed, and are those that the person gets", async () => {
  const { ask, tide, chess } = await owner();
  const { uuid } = (await invite(ask, "two@example.com", { app_ids: [tide.id] })).json<SubUser>();
  await mailsTo(mails, "two@example.com", 1);
  const ids = [tide.id, chess.id];
  const changed = (await ask("POST", `/profile/guest/${uuid}/edit`, { app_ids: ids })).json<SubUser>();
  expect(changed).toMatchObject({ state: "invited", app_ids: ids });
  await join("two@example.com");
  expect(await appIdsOf("two@example.com")).toEqual(ids);
});

test("without a choice a person sees all apps, future ones included", async () => {
  const { ask } = await owner();
  await invite(ask, "three@example.com", {});
  expect(await sessionOf(await join("three@example.com"))).toMatchObject({ has_all_apps: true });
  expect((await ask("POST", "/profile/guest/add", { role_code: "GST" })).json<SubUser>().app_ids).toBeNull();
});

test("a login to hand over can have chosen apps", async () => {
  const { ask, tide } = await owner();
  const made = (await ask("POST", "/profile/guest/add", { role_code: "GST", app_ids: [tide.id] })).json<SubUser>();
  const theirs = await asUser(app, made.email, { password: made.salt ?? "" });
  expect(await sessionOf(theirs)).toMatchObject({ role: "GST", has_all_apps: false });
});

test("another account's apps, deleted ones and an empty choice are refused, and nobody is invited", async () => {
  const { ask, tide, accountId } = await owner();
  const other = await owner();
  const refusal = async (app_ids: number[]) => {
    const reply = await invite(ask, "four@example.com", { app_ids });
    return [reply.statusCode, reply.json<{ error: Record<string, string> }>().error["app_ids"]];
  };
  const unknown = [400, "Choose apps of your account"];
  expect(await refusal([tide.id, other.tide.id])).toEqual(unknown);
  expect(await refusal([])).toEqual([400, TEXTS.chooseApps]);
  await pg.pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [tide.id]);
  expect(await refusal([tide.id])).toEqual(unknown);
  const { rowCount } = await pg.pool.query("SELECT FROM tickets WHERE account_id = $1", [accountId]);
  expect(rowCount).toBe(0);
});

test("a member whose only app is deleted sees no app, not all of them", async () => {
  const { ask, tide } = await owner();
  await invite(ask, "five@example.com", { app_ids: [tide.id] });
  const theirs = await join("five@example.com");
  await pg.pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [tide.id]);
  const [listed] = (await ask("GET", "/profile.json")).json<Profile>().sub_users;
  expect(listed?.app_ids).toEqual([]);
  expect(await sessionOf(theirs)).toMatchObject({ has_all_apps: false });
});

test("an edit of a person who has no chosen app left opens no app to them, also while they are invited", async () => {
  const { ask, tide } = await owner();
  await invite(ask, "nine@example.com", { app_ids: [tide.id] });
  const theirs = await join("nine@example.com");
  await invite(ask, "ten@example.com", { app_ids: [tide.id] });
  await mailsTo(mails, "ten@example.com", 1);
  await pg.pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [tide.id]);
  for (const { uuid } of (await ask("GET", "/profile.json")).json<Profile>().sub_users) {
    const reply = await ask("POST", `/profile/guest/${uuid}/edit`, { name: "Dora", role_code: "GST" });
    expect(reply.json<SubUser>()).toMatchObject({ name: "Dora", role_code: "GST", app_ids: [] });
  }
  for (const session of [theirs, await join("ten@example.com")])
    expect(await sessionOf(session)).toMatchObject({ role: "GST", has_all_apps: false });
  for (const email of ["nine@example.com", "ten@example.com"]) expect(await appIdsOf(email)).toEqual([]);
});

test("a manager of chosen apps sees no money and cannot add managers", async () => {
  const { ask, tide } = await owner();
  const add = (body: object) => ask("POST", "/manager/add_manager", { email: "six@example.com", name: "Bo", ...body });
  const both = await add({ is_super_manager: true, app_ids: [tide.id] });
  expect([both.statusCode, both.json()]).toEqual([400, { error: { is_super_manager: TEXTS.superHasAllApps } }]);
  const made = (await add({ app_ids: [tide.id] })).json<Manager>();
  expect(made.app_ids).toEqual([tide.id]);
  // One field alone must not make the pair.
  expect((await ask("POST", `/manager/${made.uuid}/edit`, { is_super_manager: true })).statusCode).toBe(400);
  const theirs = await join("six@example.com");
  expect(await sessionOf(theirs)).toMatchObject({ role: "manager", user_balance: null, campaign_balance: null });
});

test("the audit log has the chosen apps, and the owner's personal data lists them", async () => {
  const { ask, tide, accountId } = await owner();
  await invite(ask, "seven@example.com", { app_ids: [tide.id] });
  await invite(ask, "eight@example.com", {});
  const { rows } = await pg.pool.query<{ details: object }>(
    "SELECT details FROM audit_log WHERE account_id = $1 AND action = 'sub_user_invited' ORDER BY id",
    [accountId],
  );
  expect(rows.map(({ details }) => details)).toEqual([
    { role: "SDEV", apps: [tide.id] },
    { role: "SDEV", apps: "all" },
  ]);
});
