import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { afterAll, expect } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { openMailer, readMailbox } from "../../../platform/mail/index.ts";
import { PASSWORD, accountsServer, newOwner } from "./accounts-server.ts";
import { type Ask, asUser } from "./as-user.ts";
import { deleteAppsOf } from "../../apps/index.ts";
import { tracesOf } from "./traces-of.ts";

/** A server for deletions, with configurable mail delay and an account that cannot be closed. */
export async function deletionServer(pool: Pool) {
  const mailDir = await mkdtemp(join(tmpdir(), "millrace-mail-"));
  afterAll(() => rm(mailDir, { recursive: true }));
  const files = await openMailer({
    smtpUrl: undefined,
    from: "Millrace <mail@millrace.example>",
    dir: mailDir,
    log: silentLog,
  });
  const set = { mailTakesMs: 0, unclosable: -1 };
  const closed: number[] = [];
  const balances = new Map<number, { earned: number; prepaid: number; onItsWay?: number }>();
  const { app } = await accountsServer(pool, {
    mailer: {
      ...files,
      send: async (mail) => {
        await pause(set.mailTakesMs);
        await files.send(mail);
      },
    },
    publisherBalanceOf: async (accountId) => balances.get(accountId)?.earned ?? 0,
    onItsWayTo: async (accountId) => balances.get(accountId)?.onItsWay ?? 0,
    campaignBalanceOf: async (accountId) => balances.get(accountId)?.prepaid ?? 0,
    closeAccount: async (client, accountId) => {
      if (accountId === set.unclosable) throw new Error("cannot be closed");
      await deleteAppsOf(client, accountId);
      closed.push(accountId);
    },
  });

  let number = 0;
  /** An owner whose name and e-mail share no part with anyone else's. */
  async function owner() {
    const word = `zebulon${String.fromCodePoint(97 + (number % 26))}${"x".repeat(number++ % 7)}q`;
    const email = `${word}@example.com`;
    const made = await newOwner(pool, email);
    const ask = await asUser(app, email);
    await pool.query("UPDATE accounts SET name = $2 WHERE id = $1", [made.accountId, `Inc of ${word}`]);
    expect((await ask("POST", "/profile/edit.json", { name: "name", value: word })).statusCode).toBe(200);
    return { ...made, email, word, ask };
  }

  return {
    app,
    set,
    closed,
    balances,
    owner,
    mails: () => readMailbox(mailDir),
    remove: (ask: Ask, proof: object) => ask("POST", "/profile/delete_account", proof),
    traces: (...words: string[]) => tracesOf(pool, mailDir, words),
    signUp: (email: string, name = "Again") =>
      app.inject({
        method: "POST",
        url: "/reg.json",
        payload: { email, name, password: PASSWORD, passConfirm: PASSWORD, role: "NEW", agree: true },
      }),
  };
}
