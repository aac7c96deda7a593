import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AGREEMENT_VERSION, type Role } from "@millrace/contract";
import type { Pool } from "pg";
import { afterAll } from "vitest";
import { insertOwner } from "../areas/accounts/index.ts";
import { freePort } from "../platform/http/free-port.ts";
import { readMailbox } from "../platform/mail/index.ts";
import { newToken, tokenHash } from "../platform/secrets/token.ts";
import { readSettings } from "../platform/settings.ts";
import type { TestStores } from "../platform/testing/stores.ts";
import { startPlatform } from "../start-platform.ts";

/** A reply with its parsed body; `cookie` is the cookie it set, for later requests. */
interface Answer {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
  cookie: string | undefined;
}

/** How a request authenticates: by session cookie, by access token, or not at all. */
export interface As {
  cookie?: string;
  token?: string;
}

/**
 * The whole platform as `npm start` runs it, on a test's stores and without a demo; stopped after the file's last test.
 */
export async function testPlatform({ pg, clickhouse }: Omit<TestStores, "dispose">, env: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "millrace-test-"));
  const port = String(await freePort("127.0.0.1"));
  const url = `http://127.0.0.1:${port}`;
  const platform = await startPlatform(
    readSettings({
      PORT: port,
      DATA_DIR: dataDir,
      DATABASE_URL: pg.url,
      CLICKHOUSE_URL: clickhouse.url,
      MILLRACE_DEMO: "0",
      LOG_LEVEL: "silent",
      ...env,
    }),
  );
  afterAll(async () => {
    await platform.stop();
    await rm(dataDir, { recursive: true });
  });
  const mailDir = join(dataDir, "mail");
  return {
    url,
    pool: pg.pool,
    ask: (as: As, method: string, path: string, body?: unknown) => ask(url, as, method, path, body),
    mailsTo: async (address: string) => (await readMailbox(mailDir)).filter(({ to }) => to === address),
  };
}

async function ask(url: string, as: As, method: string, path: string, body?: unknown): Promise<Answer> {
  const reply = await fetch(url + path, {
    method,
    redirect: "manual",
    headers: {
      accept: "application/json",
      // With a cookie it is a request of a browser on one of our pages.
      ...(as.cookie !== undefined && { cookie: as.cookie, "sec-fetch-site": "same-origin" }),
      ...(as.token !== undefined && { authorization: `Bearer ${as.token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const isJson = reply.headers.get("content-type")?.startsWith("application/json") === true;
  const text = await reply.text();
  return {
    status: reply.status,
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : { text },
    headers: reply.headers,
    cookie: reply.headers.getSetCookie()[0]?.split(";")[0],
  };
}

/** A user with an account and no password. */
export async function newPerson(
  pool: Pool,
  email: string,
  some: { role?: Role; name?: string; canApps?: boolean; canCampaign?: boolean } = {},
) {
  const owner = await insertOwner(pool, {
    email,
    name: some.name ?? "Somebody",
    passwordHash: null,
    role: some.role ?? "owner",
    canApps: some.canApps ?? true,
    canCampaign: some.canCampaign ?? true,
    agreedVersion: AGREEMENT_VERSION,
    demo: false,
  });
  if (!owner) throw new Error(`${email} is taken`);
  const { rows } = await pool.query<{ uuid: string }>("SELECT uuid FROM users WHERE id = $1", [owner.userId]);
  return { ...owner, email, uuid: rows[0]?.uuid ?? "" };
}

/** The cookie of a new session. */
export async function sessionOf(
  pool: Pool,
  { userId, accountId }: { userId: number; accountId: number },
  impersonatorId: number | null = null,
): Promise<string> {
  const token = newToken();
  await pool.query(
    `INSERT INTO sessions (token_hash, user_id, account_id, expires_at, switched_by)
     VALUES ($1, $2, $3, now() + interval '1 day', $4)`,
    [tokenHash(token), userId, accountId, impersonatorId],
  );
  return `millrace=${token}`;
}
