import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AGREEMENT_VERSION } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import type { Pool } from "pg";
import { afterAll } from "vitest";
import { buildServer } from "../../../platform/http/build-server.ts";
import { openJobs } from "../../../platform/jobs/index.ts";
import { silentLog } from "../../../platform/log.ts";
import { type KeptMail, openMailer, readMailbox } from "../../../platform/mail/index.ts";
import { testSealer } from "../../../platform/testing/test-sealer.ts";
import type { AccountsDeps } from "../deps.ts";
import { accountsArea, hashPassword, insertOwner } from "../index.ts";
import { mailsTo } from "./mails-to.ts";

export const PUBLIC_URL = "https://millrace.example";
export const PASSWORD = "correct-horse";

/**
 * The area's routes on a real store, with jobs that run and mails that become files; all gone after the file's last
 * test.
 */
export async function accountsServer(pool: Pool, some: Partial<AccountsDeps> = {}) {
  const mailDir = await mkdtemp(join(tmpdir(), "millrace-mail-"));
  const mailer = await openMailer({
    smtpUrl: undefined,
    from: "Millrace <mail@millrace.example>",
    dir: mailDir,
    log: silentLog,
  });
  const jobs = openJobs({ pool, log: silentLog });
  const area = accountsArea({
    pool,
    clock: { now: () => Date.now() },
    log: silentLog,
    mailer,
    jobs,
    sealer: testSealer,
    publicUrl: PUBLIC_URL,
    settings: {
      operator: { name: "The operator", email: "support@millrace.example", address: undefined },
      social: {},
      intercom: undefined,
      smtpUrl: undefined,
    },
    revenueTodayOf: async () => 340_000,
    publisherBalanceOf: async () => 12_000_000,
    onItsWayTo: async () => 0,
    campaignBalanceOf: async () => 0,
    campaignFundsOf: async () => ({ balance: 0, spent_today: 0, daily_spend: 0, days_left: null }),
    hasApps: async () => true,
    belongingsOf: async () => ({}),
    closeAccount: async () => undefined,
    demoStatus: () => ({ running: false, history_progress: 1 }),
    ...some,
  });
  const app: FastifyInstance = await buildServer({
    log: silentLog,
    trustedProxies: 1,
    authenticate: area.authenticate,
  });
  area.routes(app);
  await area.start?.();
  await jobs.start();
  afterAll(async () => {
    await app.close();
    await area.stop?.();
    await jobs.stop();
    await mailer.close();
    await rm(mailDir, { recursive: true });
  });
  const mails = () => readMailbox(mailDir);
  /** The newest mail to an address. */
  const mailTo = async (address: string) => (await mailsTo(mails, address, 1))[0] as KeptMail;
  return { app, area, jobs, mails, mailTo };
}

let hashed: Promise<string> | undefined;
/** The hash of the common password, computed once because it is slow. */
export const passwordHash = (): Promise<string> => (hashed ??= hashPassword(PASSWORD));

/** Creates an owner, with both sides unless given otherwise, and a function that signs them in. */
export async function newOwner(pool: Pool, email: string, some: { canApps?: boolean; canCampaign?: boolean } = {}) {
  const owner = await insertOwner(pool, {
    email,
    name: "Pub",
    passwordHash: await passwordHash(),
    role: "owner",
    canApps: some.canApps ?? true,
    canCampaign: some.canCampaign ?? true,
    agreedVersion: AGREEMENT_VERSION,
    demo: false,
  });
  if (!owner) throw new Error(`${email} is taken`);
  return owner;
}

/** Signs in and returns the cookie to send along. */
export async function cookieOf(app: FastifyInstance, email: string, more: object = {}): Promise<string> {
  const reply = await app.inject({
    method: "POST",
    url: "/login.json",
    payload: { email, password: PASSWORD, ...more },
  });
  const [cookie] = reply.cookies;
  if (!cookie) throw new Error(`Signing in was answered ${reply.statusCode}: ${reply.body}`);
  return `${cookie.name}=${cookie.value}`;
}
