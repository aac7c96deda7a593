import { expect, test } from "vitest";
import type { Jobs } from "../../../platform/jobs/index.ts";
import type { Mailer } from "../../../platform/mail/index.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { accountsServer, newOwner } from "../testing/accounts-server.ts";
import { from, ticketIn } from "../testing/ticket-links.ts";
import { MAIL_TICKET } from "./mail-ticket.ts";

const pg = await testPostgres();
// Jobs wait until the test runs them, once or repeatedly, at the moment under test.
const waiting: { queue: string; data: object }[] = [];
const runs = new Map<string, (data: unknown) => Promise<void>>();
const jobs: Jobs = {
  define: (queue, schema, run) => void runs.set(queue, async (data) => run(schema.parse(data))),
  repeat: () => undefined,
  send: async (queue, data) => void waiting.push({ queue, data }),
  start: async () => undefined,
  stop: async () => undefined,
};
const sent: { to: string; text: string }[] = [];
let away = false;
const mailer: Mailer = {
  // The worst mail server: it delivers, and reports a failure.
  send: async (mail) => {
    sent.push(mail);
    if (away) throw new Error("The connection was lost");
  },
  forget: async () => 0,
  close: async () => undefined,
};
const { app } = await accountsServer(pg.pool, { jobs, mailer });

let number = 0;
async function forgotten() {
  const email = `job${++number}@example.com`;
  const owner = await newOwner(pg.pool, email);
  const ask = from(app, `198.51.100.${number}`);
  expect((await ask("POST", "/remind.json", { email })).statusCode).toBe(200);
  const job = waiting.pop();
  expect(job?.queue).toBe(MAIL_TICKET);
  const run = async () => runs.get(MAIL_TICKET)?.(job?.data);
  const links = () => sent.filter(({ to }) => to === email).map((mail) => `/ticket/${ticketIn(mail)}.json`);
  return { ...owner, email, ask, job, run, links };
}
const passes = { pass: "battery-staple", pass_confirm: "battery-staple" };

test("a job contains its ticket's id and no address or secret", async () => {
  const { job } = await forgotten();
  const { rows } = await pg.pool.query("SELECT uuid FROM tickets ORDER BY number DESC LIMIT 1");
  expect(rows).toEqual([job?.data]);
});

test("a failed mail is sent again with a new link; the earlier link does not work", async () => {
  const { ask, run, links } = await forgotten();
  away = true;
  await expect(run()).rejects.toThrow("The connection was lost");
  away = false;
  await run();
  const [first = "", second = ""] = links();
  expect(links().length).toBe(2);
  expect((await ask("GET", first)).json()).toMatchObject({ error: "not_found" });
  expect((await ask("POST", second, passes)).statusCode).toBe(200);
});

test("a job that runs again after its link was used sends nothing", async () => {
  const { ask, run, links } = await forgotten();
  await run();
  expect((await ask("POST", links()[0] ?? "", passes)).statusCode).toBe(200);
  await run();
  expect(links().length).toBe(1);
});

test("until its mail is sent a ticket has no link, and an older link stays valid", async () => {
  const { email, ask, run, links } = await forgotten();
  await run();
  await ask("POST", "/remind.json", { email });
  const { rows } = await pg.pool.query<{ uuid: string; salt_hash: string }>(
    "SELECT uuid, salt_hash FROM tickets WHERE email = $1 ORDER BY number DESC",
    [email],
  );
  expect(rows[0]?.salt_hash).toBe("");
  expect((await ask("GET", `/ticket/${rows[0]?.uuid}-.json`)).json()).toMatchObject({ error: "not_found" });
  expect((await ask("POST", links()[0] ?? "", passes)).statusCode).toBe(200);
  // The newer one is no longer valid, because the password was changed.
  const job = waiting.pop();
  await runs.get(MAIL_TICKET)?.(job?.data);
  expect(links().length).toBe(1);
});

test("a user blocked or deleted before the mail goes out gets none, and the ticket is gone", async () => {
  const blocked = await forgotten();
  await pg.pool.query("UPDATE users SET blocked_at = now() WHERE id = $1", [blocked.userId]);
  const deleted = await forgotten();
  await pg.pool.query("DELETE FROM users WHERE id = $1", [deleted.userId]);
  for (const { run, links, email } of [blocked, deleted]) {
    await run();
    expect(links()).toEqual([]);
    expect((await pg.pool.query("SELECT FROM tickets WHERE email = $1", [email])).rowCount).toBe(0);
  }
});
