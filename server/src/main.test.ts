import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { millraceCommands } from "./testing/millrace-commands.ts";

const { run, dirOf } = await millraceCommands({ MILLRACE_DEMO: "0" });
const millrace = (args: string[], env: Record<string, string> = {}) => run("data", args, env);

test("a wrong setting or command stops the start with one sentence that names it", async () => {
  const wrongSetting = millrace([], { REVENUE_SHARE_PERCENT: "plenty" });
  const wrongCommand = millrace(["stat"]);
  const wrongOption = millrace(["start", "--fast"]);
  expect([await wrongSetting.ended(), await wrongCommand.ended(), await wrongOption.ended()]).toEqual([1, 1, 1]);
  expect(wrongSetting.text.err).toMatch(/^The setting REVENUE_SHARE_PERCENT is wrong: .*\n$/);
  expect(wrongCommand.text.err).toContain('There is no command "stat"');
  expect(wrongOption.text.err).toMatch(/--fast[^]*Usage: millrace/);
}, 180_000);

test("an unusable address or an unreachable store stops the start with the setting's name", async () => {
  const host = millrace(["start"], { HOST: "192.0.2.1" });
  expect([await host.ended(), host.text.err]).toEqual([
    1,
    "The setting HOST is wrong: 192.0.2.1 is not an address of this machine.\n",
  ]);
  const noHost = millrace(["start"], { HOST: "999.1.1.1" });
  expect([await noHost.ended(), noHost.text.err]).toEqual([
    1,
    "The setting HOST is wrong: must be an address or a name of this machine, such as 127.0.0.1.\n",
  ]);
  const postgres = millrace(["start"], { DATABASE_URL: "postgres://me:secret@127.0.0.1:1/x" });
  expect(await postgres.ended()).toBe(1);
  expect(postgres.text.err).toMatch(/^The store at DATABASE_URL does not answer: .*ECONNREFUSED.*$/m);
  const clickhouse = millrace(["start"], { CLICKHOUSE_URL: "http://me:secret@127.0.0.1:1" });
  expect(await clickhouse.ended()).toBe(1);
  expect(clickhouse.text.err).toMatch(/^The store at CLICKHOUSE_URL does not answer: .*ECONNREFUSED.*$/m);
  expect(postgres.text.err + clickhouse.text.err).not.toContain("secret");
}, 180_000);

test("a platform starts, serves, refuses a second one on its data, stops cleanly and starts again", async () => {
  const first = millrace(["start"]);
  const address = await first.ready();
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  expect(first.text.err).toContain("SMTP_URL is not set: mails are stored as files and not sent");
  const nowhere = await fetch(`${address}/session.json`);
  expect([nowhere.status, await nowhere.json()]).toEqual([401, { error: "Please log in" }]);

  const second = millrace(["start"]);
  expect(await second.ended()).toBe(1);
  expect(second.text.err).toMatch(/^The data directory .* is in use by another platform .*\n$/);

  const samePort = run("other", ["start"], { PORT: new URL(address).port });
  expect(await samePort.ended()).toBe(1);
  expect(samePort.text.err).toContain(`Port ${new URL(address).port} is in use`);

  // Ctrl-C under npm arrives twice: from the terminal and from npm.
  first.child.kill("SIGINT");
  await new Promise((resolve) => setTimeout(resolve, 50));
  first.child.kill("SIGINT");
  expect(await first.ended()).toBe(0);

  const again = millrace(["start"]);
  await again.ready();
  expect(await again.stop()).toBe(0);
}, 180_000);

test("a platform that is stopped while it starts ends in order, and leaves nothing to the next start", async () => {
  const first = run("early", ["start"]);
  await expect.poll(() => existsSync(join(dirOf("early"), "postgres")), { timeout: 60_000 }).toBe(true);
  expect(await first.stop()).toBe(0);
  expect(first.text.out).toContain("ready");
  const again = run("early", ["start"]);
  await again.ready();
  expect(again.text.err).not.toContain("whose platform ended");
  expect(await again.stop()).toBe(0);
}, 180_000);

test("clearing a platform without a demo says that there is none", async () => {
  const clear = run("fresh", ["demo", "clear"]);
  expect([await clear.ended(), clear.text.out]).toEqual([0, "There is no demo data.\n"]);
}, 180_000);

test("the first admin of an empty platform is created once by command and can sign in", async () => {
  const fresh = (args: string[]) => run("fresh", args);
  const noEmail = fresh(["admin", "create"]);
  expect([await noEmail.ended(), noEmail.text.err]).toEqual([1, expect.stringContaining("--email you@example.com")]);

  const wrongEmail = fresh(["authenticator", "off", "--email", "nobody"]);
  expect([await wrongEmail.ended(), wrongEmail.text.err]).toEqual([
    1,
    expect.stringContaining("--email you@example.com"),
  ]);

  const made = fresh(["admin", "create", "--email", "Boss@Example.com"]);
  expect(await made.ended()).toBe(0);
  const password = /^Password (\S{16})$/m.exec(made.text.out)?.[1];
  const again = fresh(["admin", "create", "--email", "boss@example.com"]);
  expect([await again.ended(), again.text.err]).toEqual([1, "boss@example.com already has a login.\n"]);

  const platform = fresh(["start"]);
  const address = await platform.ready();
  const reply = await fetch(`${address}/login.json`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "boss@example.com", password }),
  });
  expect([reply.status, await reply.json()]).toEqual([200, { redirect_to: "/admin" }]);
  const cookie = reply.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const audit = await fetch(`${address}/admin/audit.json`, { headers: { cookie } });
  expect(await audit.json()).toMatchObject({
    entries: [{ action: "admin_created", actor: null, account: "Admin", details: { by: "operator" } }],
  });
  await platform.stop();
}, 180_000);
