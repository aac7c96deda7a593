import { type Access, CALLS, type Call, RIGHTS, type Right, type RightName } from "@millrace/contract";
import { type CallName, NAMED_CALLS, type SeedIds, callSeed, seedIds } from "@millrace/contract/testing";
import { generate } from "otplib";
import { beforeAll, expect, test } from "vitest";
import { upsertPartner } from "./areas/demand-partners/index.ts";
import { somePartner } from "./testing/some-partner.ts";
import { newToken, tokenHash } from "./platform/secrets/token.ts";
import { testStores } from "./platform/testing/stores.ts";
import { CALLER_KINDS, type CallerKind, type NewAccount, contentOf, newAccount } from "./testing/access-world.ts";
import { type As, sessionOf, testPlatform } from "./testing/test-platform.ts";

/**
 * Sends every call that requires sign-in as every role, about their own and another account's objects. Expectations are
 * computed from the table of rights. A new call is included automatically, and does not compile without a well-formed
 * request.
 */
const { pool, ask } = await testPlatform(await testStores(), {
  OPERATOR_EMAIL: "help@operator.test",
  // The matrix is some thousand calls a minute, and all of them come from one address.
  CALLS_PER_MINUTE: "10000",
});

const served = new Set(Object.values(CALLS).flat());
const names = (Object.keys(NAMED_CALLS) as CallName[]).filter(
  (name) => served.has(NAMED_CALLS[name]) && !["public", "device"].includes(NAMED_CALLS[name].access),
);

/** These requests name no object of the account, so 404 is a valid reply. */
const ABOUT_NOTHING: readonly CallName[] = [
  "explainAuction",
  "linkSocial",
  "unlinkSocial",
  "addApp",
  "campaignAppInfo",
  "switchPartner",
  "deleteDspKeys",
  "takeBackRefill",
];

/** The name of the app that requests are about. */
const ASKED_APP = "App live";
const AT_ONCE = 8;
interface Caller extends NewAccount {
  as: As;
}
let foreign: NewAccount;
/** One caller of each kind, for the calls that are refused. */
const refused = new Map<string, Caller>();
let contentBefore: Record<string, unknown[]>[];
let codeOwer: number;
let adminId: number;

beforeAll(async () => {
  // The partner in the requests about keys.
  await upsertPartner(pool, somePartner({ id: "lab-steady", media_types: ["banner"] }));
  foreign = await newAccount(pool, CALLER_KINDS.owner);
  adminId = (await newAccount(pool, CALLER_KINDS.admin)).userId;
  codeOwer = await newCodeOwer();
  for (const [who, kind] of Object.entries(CALLER_KINDS)) refused.set(who, await newCaller(kind));
  contentBefore = await contentNow();
});

test.each(names)("%s is open only to the roles in the table", { timeout: 120_000 }, async (name) => {
  const { access } = NAMED_CALLS[name];
  const findings: string[] = [];
  const kinds = Object.entries<CallerKind>(CALLER_KINDS);
  const pairs = kinds.flatMap(([who, kind]) => [
    { who, kind, whose: "own" as const },
    ...(hasId(NAMED_CALLS[name]) ? [{ who, kind, whose: "foreign" as const }] : []),
  ]);
  for (let from = 0; from < pairs.length; from += AT_ONCE) {
    await Promise.all(
      pairs.slice(from, from + AT_ONCE).map(async ({ who, kind, whose }) => {
        const isIn = isLetIn(access, kind);
        // A call that is let in has an account of its own, so that its changes do not affect the next.
        const caller = (isIn ? undefined : refused.get(who)) ?? (await newCaller(kind));
        const ids = await idsFor(access, caller, { whose, isIn });
        const { status, body, headers } = await answerTo(name, caller.as, ids);
        const isHidden = whose === "foreign" || (kind.sees === "other" && isAboutAnApp(name, ids));
        const expected = isIn ? (isHidden ? "404" : "answered") : "403";
        const got = isHidden ? String(status) : answerOf(name, status);
        if (got !== expected) findings.push(`${who}, ${whose}: ${expected} expected, ${status} came`);
        const type = headers.get("content-type")?.split(";")[0] ?? "none";
        const types: readonly string[] = NAMED_CALLS[name].replyTypes ?? ["application/json"];
        if (status === 200 && !types.includes(type))
          findings.push(`${who}: ${types.join(" or ")} expected, ${type} came`);
        if (kind.sees === "other" && JSON.stringify(body).includes(ASKED_APP))
          findings.push(`${who}: the reply tells of an app that they do not see`);
      }),
    );
  }
  const { status: nobody } = await answerTo(name, {}, foreign.ids);
  if (nobody !== 401) findings.push(`nobody: 401 expected, ${nobody} came`);
  expect(findings).toEqual([]);
});

test("refused calls change nothing, neither in the caller's account nor in the other one", async () => {
  expect(await contentNow()).toEqual(contentBefore);
});

/** What the accounts hold that no call may change. */
const contentNow = () => Promise.all([foreign, ...refused.values()].map(({ accountId }) => contentOf(pool, accountId)));

const hasId = ({ path }: Call) => path.includes("{id}");
/** The expected statuses for one's own objects. Well-formed requests never fail validation, and nothing returns 5xx. */
function answerOf(name: CallName, status: number): string {
  const isRefused = [400, 401, 403].includes(status) || (status === 404 && !ABOUT_NOTHING.includes(name));
  return isRefused || status >= 500 ? String(status) : "answered";
}

/** The table of rights, plus the one personal right: managers may be given the right to run managers. */
function isLetIn(
  access: Access,
  { role, roles, is_switched, by, mfaPending, isSuper, has_all_apps }: CallerKind,
): boolean {
  const right: Right = RIGHTS[access as RightName];
  if (by === "token" && right.token !== true) return false;
  if (mfaPending && right.allowWithoutMfa !== true) return false;
  if (is_switched && right.impersonating !== true) return false;
  if (right.side === "apps" && !roles.can_apps) return false;
  if (right.side === "campaign" && !roles.can_campaign) return false;
  if (right.allApps === true && !has_all_apps) return false;
  if (access === "managers.manage" && role === "manager" && !isSuper) return false;
  return right.roles.includes(role);
}

/**
 * Ids of the account's own objects, or of another's. Admins see all accounts, so for them only unknown ids are foreign.
 */
async function idsFor(
  access: Access,
  account: NewAccount,
  { whose, isIn }: { whose: "own" | "foreign"; isIn: boolean },
): Promise<SeedIds> {
  if (access !== "admin") return whose === "own" ? account.ids : foreign.ids;
  if (whose === "foreign") return seedIds();
  const visited = isIn ? await newAccount(pool, CALLER_KINDS.owner) : foreign;
  const { rows } = await pool.query<{ uuid: string }>("SELECT uuid FROM users WHERE id = $1", [visited.ownerId]);
  return seedIds({
    user: rows[0]?.uuid ?? "",
    app: visited.ids.app,
    waitingApp: visited.ids.app,
    supportMessage: visited.ids.supportMessage,
    payout: visited.ids.payout,
    deduction: visited.ids.deduction,
    drift: visited.ids.drift,
    killSwitch: visited.ids.killSwitch,
    statement: visited.ids.statement,
    invoice: visited.ids.invoice,
    news: visited.ids.news,
    creative: visited.ids.creative,
  });
}

async function newCaller(kind: CallerKind): Promise<Caller> {
  const account = await newAccount(pool, kind);
  return { ...account, as: await signIn(kind, account) };
}

async function signIn(kind: CallerKind, account: NewAccount): Promise<As> {
  if (kind.by === "token") return { token: await newAccessToken(account) };
  if (kind.mfaPending) {
    await pool.query("UPDATE users SET otp_secret = (SELECT otp_secret FROM users WHERE id = $2) WHERE id = $1", [
      account.userId,
      codeOwer,
    ]);
  }
  return { cookie: await sessionOf(pool, account, kind.is_switched ? adminId : null) };
}

/** A user with an authenticator switched on. */
async function newCodeOwer(): Promise<number> {
  const account = await newAccount(pool, CALLER_KINDS.owner);
  const as = { cookie: await sessionOf(pool, account) };
  const { body } = await ask(as, "GET", "/api/otp_secret_generate");
  const secret = String(body["otp_secret"]);
  const code = await generate({ secret });
  const saved = await ask(as, "POST", `/api/otp_secret_save?code=${code}&secret=${encodeURIComponent(secret)}`);
  if (saved.status !== 200) throw new Error(`An authenticator was answered ${saved.status}`);
  return account.userId;
}

async function newAccessToken({ accountId, userId }: NewAccount): Promise<string> {
  const token = `mr_${newToken()}`;
  await pool.query(
    "INSERT INTO access_tokens (account_id, user_id, token_hash, hint, created_at) VALUES ($1, $2, $3, $4, now())",
    [accountId, userId, tokenHash(token), token.slice(-4)],
  );
  return token;
}

/** Whether a request names the app, or a file of it. */
function isAboutAnApp(name: CallName, ids: SeedIds): boolean {
  const request = JSON.stringify(callSeed(name, ids));
  return [ids.app, ids.changedApp, ids.tableFile].some((id) => request.includes(id));
}

async function answerTo(name: CallName, as: As, ids: SeedIds) {
  const { method, path, query, body } = callSeed(name, ids);
  const search = query ? `?${new URLSearchParams(query).toString()}` : "";
  return ask(as, method, path + search, body);
}
