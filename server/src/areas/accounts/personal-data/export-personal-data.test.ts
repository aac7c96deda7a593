import { type Profile, ROLES } from "@millrace/contract";
import { expect, test } from "vitest";
import { createApp } from "../../apps/index.ts";
import { campaignBalanceOf, refillCampaignBalance } from "../../payments/index.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { PASSWORD, accountsServer, newOwner } from "../testing/accounts-server.ts";
import { type Ask, asUser } from "../testing/as-user.ts";
import { giveAuthenticator } from "../testing/give-authenticator.ts";
import { asVisitor, newMember } from "../testing/new-member.ts";
import { exportState } from "./export-store.ts";

const pg = await testPostgres();
const DAY_MS = 86_400_000;
let nowMs = Date.now();
let holdUp: Promise<void> = Promise.resolve();
const { app, mails, mailTo } = await accountsServer(pg.pool, {
  clock: { now: () => nowMs },
  campaignBalanceOf: (accountId) => campaignBalanceOf(pg.pool, accountId),
  belongingsOf: async (accountId) => {
    await holdUp;
    if (accountId === broken) throw new Error("cannot be gathered");
    return { apps: [{ name: `App of ${accountId}` }] };
  },
});
let broken = -1;

let number = 0;
async function owner() {
  const email = `export${++number}@example.com`;
  const made = await newOwner(pg.pool, email);
  return { ...made, email, ask: await asUser(app, email) };
}
const begin = (ask: Ask) => ask("POST", "/profile/export_data");
const told = async (ask: Ask) => (await ask("GET", "/profile.json")).json<Profile>().export;
const gathered = async (ask: Ask) => {
  await expect.poll(async () => (await told(ask))?.state).toBe("ready");
  return (await told(ask))?.uuid ?? "";
};
const download = (ask: Ask, uuid: string) => ask("GET", `/profile/exports/${uuid}.json`);

test("the export has everything that is stored, sends a mail, and downloads as an attachment", async () => {
  const { ask, email, userId, accountId } = await owner();
  await newMember(pg.pool, accountId, { email: `sub-${email}`, role: "GST" });
  const tide = await createApp(pg.pool, accountId, { name: "Tide", bundleId: "com.example.tide", platform: "android" });
  await pg.pool.query("UPDATE memberships SET app_ids = ARRAY[$2::int] FROM users WHERE id = user_id AND email = $1", [
    `sub-${email}`,
    tide.id,
  ]);
  await newMember(pg.pool, accountId, { email: `man-${email}`, role: "manager" });
  await pg.pool.query("UPDATE users SET phone = '+4930123456', surname = 'Lovelace' WHERE id = $1", [userId]);
  await pg.pool.query(
    "INSERT INTO social_identities (service, subject, user_id, email) VALUES ('google', 'g-1', $1, 'me@mail.example')",
    [userId],
  );
  await inTransaction(pg.pool, (client) =>
    refillCampaignBalance(client, {
      key: "first",
      accountId,
      amountMicros: 5_000_000,
      reason: "first money",
      actorUserId: userId,
      at: new Date(nowMs),
    }),
  );
  await ask("POST", "/profile/edit.json", { name: "name", value: "Ada" });
  await pg.pool.query(
    `INSERT INTO support_messages (user_id, account_id, message, page, created_at)
     VALUES ($1, $2, 'My app is empty', '/apps', now())`,
    [userId, accountId],
  );
  const strangers = await newOwner(pg.pool, `stranger-${email}`);
  for (const [account, explanation] of [
    [accountId, "Clicks from a data centre"],
    [strangers.accountId, "A stranger's"],
  ] as const) {
    await pg.pool.query(
      `INSERT INTO deductions (key, account_id, app_id, provider, day, reason, amount_micros, explanation, auctions, state,
         noted_at, dispute_until, dispute, disputed_at, disputed_by)
       VALUES (gen_random_uuid(), $1, $2, '', '2026-11-18', 'invalid_traffic', 5, $3, '{}', 'disputed', now(), now(),
         'My players are real', now(), $4)`,
      [account, tide.id, explanation, userId],
    );
  }
  await pg.pool.query(
    `INSERT INTO revenue_shares (account_id, from_day, share_ppm, reason, set_at)
     VALUES ($1, '2035-01-01', 850000, 'A good year', now()), ($2, '2035-01-01', 1, 'A stranger''s', now())`,
    [accountId, strangers.accountId],
  );
  await pg.pool.query(
    `INSERT INTO billing_details (account_id, legal_name, address, country, is_business, changed_at)
     VALUES ($1, 'Ada Lovelace', '1 Example Street', 'GB', false, now()), ($2, 'A stranger', 'x', 'GB', false, now())`,
    [accountId, strangers.accountId],
  );
  const reply = await begin(ask);
  expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([200, expect.any(String) as string]);
  const uuid = await gathered(ask);
  expect((await mailTo(email)).subject).toBe("Your personal data is ready");

  const file = await download(ask, uuid);
  expect(file.headers["content-disposition"]).toBe('attachment; filename="personal-data.json"');
  expect(file.headers["content-type"]).toContain("application/json");
  expect(file.json()).toMatchObject({
    person: { email, name: "Ada", surname: "Lovelace", phone: "+4930123456", has_password: true },
    account: { name: "Ada", can_apps: true },
    memberships: [{ role: "owner" }],
    sub_users: [{ email: `sub-${email}`, role: "GST", chosen_apps: [tide.uuid] }],
    managers: [{ email: `man-${email}`, chosen_apps: null }],
    linked_identities: [{ service: "google", subject: "g-1", email: "me@mail.example" }],
    support_messages: [{ message: "My app is empty", page: "/apps", reply: null }],
    deductions: [
      {
        explanation: "Clicks from a data centre",
        amount_micros: 5,
        state: "disputed",
        dispute: "My players are real",
        disputed_by_you: true,
      },
    ],
    billing_details: [{ legal_name: "Ada Lovelace", address: "1 Example Street", country: "GB" }],
    invoices: [],
    revenue_shares: [{ share_ppm: 850_000, reason: "A good year" }],
    disputes_for_other_accounts: [{ dispute: "My players are real" }],
    sessions: [{ opened_by_an_admin: false }],
    audit_log: [
      { action: "profile_edited", by_you: true, address: "127.0.0.1" },
      { action: "personal_data_asked", by_you: true },
    ],
    ledger: [{ kind: "refill", reason: "first money", book: "campaign_balance", amount_micros: -5_000_000 }],
    balances: { balance_micros: 12_000_000, earned_today_micros: 340_000, campaign_balance_micros: 5_000_000 },
    belongings: { apps: [{ name: `App of ${accountId}` }] },
  });
});

test("the export has no secrets", async () => {
  const { ask, email, userId } = await owner();
  const token = (await ask("POST", "/profile/access_token")).json<{ access_token: string }>().access_token;
  await ask("POST", "/profile/edit.json", { name: "password", value: "a-new-password" });
  const { secret } = await giveAuthenticator(pg.pool, userId, ["aaaa-bbbb"]);
  await pg.pool.query("UPDATE sessions SET otp_verified_until = 'infinity' WHERE user_id = $1", [userId]);
  await begin(ask);
  const body = (await download(ask, await gathered(ask))).body;
  const { rows } = await pg.pool.query<{ secrets: string[] }>(
    `SELECT array[u.password_hash, encode(u.otp_secret, 'hex'), s.token_hash, t.token_hash, k.salt_hash,
       k.payload->>'passwordHash', r.code_hash] AS secrets
     FROM users u JOIN sessions s ON s.user_id = u.id JOIN access_tokens t ON t.user_id = u.id
     JOIN tickets k ON k.user_id = u.id JOIN recovery_codes r ON r.user_id = u.id WHERE u.email = $1`,
    [email],
  );
  const secrets = [secret, token, PASSWORD, ...(rows[0]?.secrets ?? [])].filter((one) => one !== "");
  expect(secrets.length).toBeGreaterThan(8);
  for (const one of secrets) expect(body).not.toContain(one);
});

test("only one export runs at a time, even when requested twice at once; a later one replaces it", async () => {
  const { ask } = await owner();
  let goOn = () => {};
  holdUp = new Promise((resolve) => {
    goOn = resolve;
  });
  const replies = await Promise.all([begin(ask), begin(ask), begin(ask)]);
  expect(replies.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([200, 409, 409]);
  expect((await told(ask))?.state).toBe("working");
  const { uuid: first = "" } = (await told(ask)) ?? {};
  expect((await download(ask, first)).statusCode).toBe(404);
  goOn();
  await gathered(ask);
  expect((await download(ask, first)).statusCode).toBe(200);
  expect((await begin(ask)).statusCode).toBe(200);
  expect(await gathered(ask)).not.toBe(first);
  expect((await download(ask, first)).statusCode).toBe(404);
});

test("repeated export requests are throttled, since each sends a mail", async () => {
  const { ask } = await owner();
  const statuses = [];
  for (let nth = 0; nth < 11; nth++) {
    statuses.push((await begin(ask)).statusCode);
    await gathered(ask);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
});

test("an export can be downloaded for seven days", async () => {
  const { ask, email } = await owner();
  await begin(ask);
  const uuid = await gathered(ask);
  nowMs += 7 * DAY_MS - 60_000;
  expect((await download(ask, uuid)).statusCode).toBe(200);
  nowMs += 120_000;
  expect((await download(ask, uuid)).statusCode).toBe(404);
  expect(await told(await asUser(app, email))).toBeNull();
});

test("nobody else can download it: no other owner, member or impersonating admin", async () => {
  const { ask, email, accountId } = await owner();
  await begin(ask);
  const uuid = await gathered(ask);
  const stranger = await owner();
  expect((await download(stranger.ask, uuid)).statusCode).toBe(404);
  const others: Ask[] = [(await asVisitor(app, pg.pool, email)).ask];
  for (const role of ROLES.filter((one) => one !== "owner")) {
    await newMember(pg.pool, accountId, { email: `${role.toLowerCase()}-${email}`, role });
    others.push(await asUser(app, `${role.toLowerCase()}-${email}`));
  }
  for (const other of others) {
    expect((await download(other, uuid)).statusCode).toBe(403);
    expect((await begin(other)).statusCode).toBe(403);
  }
  expect((await app.inject({ url: `/profile/exports/${uuid}.json` })).statusCode).toBe(401);
});

test("the mail is sent once, and no job contains the address", async () => {
  const { ask, email } = await owner();
  await begin(ask);
  await gathered(ask);
  await mailTo(email);
  expect((await mails()).filter(({ to }) => to === email)).toHaveLength(1);
  const { rows } = await pg.pool.query("SELECT 1 FROM pgboss.job WHERE data::text ILIKE '%' || $1 || '%'", [email]);
  expect(rows).toEqual([]);
});

test("a failed export is reported and can be requested again", async () => {
  const { ask, accountId } = await owner();
  broken = accountId;
  await begin(ask);
  await expect.poll(async () => (await told(ask))?.state).toBe("failed");
  broken = -1;
  expect((await begin(ask)).statusCode).toBe(200);
  await gathered(ask);
  expect((await told(ask))?.state).toBe("ready");
});

test("an export whose job was lost fails after an hour", () => {
  const begun = { state: "working" as const, createdAt: new Date(0) };
  expect([exportState(begun, 3_600_000), exportState(begun, 3_600_001)]).toEqual(["working", "failed"]);
});
