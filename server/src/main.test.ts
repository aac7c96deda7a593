import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "millrace-main-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

interface Run {
  child: ChildProcess;
  out(): string;
  err(): string;
}

/** The platform as a person starts it, from source. */
function millrace(args: string[], env: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, ["--import", "tsx", MAIN, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], PORT: "0", DATA_DIR: dataDir, MILLRACE_DEMO: "0", LOG_LEVEL: "warn", ...env },
  });
  let out = "";
  let err = "";
  child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
  return { child, out: () => out, err: () => err };
}

async function ended({ child }: Run): Promise<number | null> {
  if (child.exitCode === null) await once(child, "exit");
  return child.exitCode;
}

async function ready(run: Run): Promise<string> {
  while (run.child.exitCode === null) {
    const address = /^ready (\S+) /m.exec(run.out())?.[1];
    if (address !== undefined) return address;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`It ended before it was ready: ${run.err()}`);
}

test("a wrong setting or command stops the start with one sentence that names it", async () => {
  const wrongSetting = millrace([], { REVENUE_SHARE_PERCENT: "plenty" });
  const wrongCommand = millrace(["stat"]);
  const wrongOption = millrace(["start", "--fast"]);
  expect([await ended(wrongSetting), await ended(wrongCommand), await ended(wrongOption)]).toEqual([1, 1, 1]);
  expect(wrongSetting.err()).toMatch(/^The setting REVENUE_SHARE_PERCENT is wrong: .*\n$/);
  expect(wrongCommand.err()).toContain('There is no command "stat"');
  expect(wrongOption.err()).toMatch(/--fast[^]*Usage: millrace/);
});

test("an unusable address or an unreachable store stops the start with the setting's name", async () => {
  const host = millrace(["start"], { HOST: "192.0.2.1" });
  expect([await ended(host), host.err()]).toEqual([
    1,
    "The setting HOST is wrong: 192.0.2.1 is not an address of this machine.\n",
  ]);
  const postgres = millrace(["start"], { DATABASE_URL: "postgres://me:secret@127.0.0.1:1/x" });
  expect(await ended(postgres)).toBe(1);
  expect(postgres.err()).toMatch(/^The store at DATABASE_URL does not answer: .*ECONNREFUSED.*$/m);
  const clickhouse = millrace(["start"], { CLICKHOUSE_URL: "http://me:secret@127.0.0.1:1" });
  expect(await ended(clickhouse)).toBe(1);
  expect(clickhouse.err()).toMatch(/^The store at CLICKHOUSE_URL does not answer: .*ECONNREFUSED.*$/m);
  expect(postgres.err() + clickhouse.err()).not.toContain("secret");
}, 180_000);

test("a platform starts, serves, refuses a second one on its data, stops cleanly and starts again", async () => {
  const first = millrace(["start"]);
  const address = await ready(first);
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  expect(first.err()).toContain("SMTP_URL is not set: mails are stored as files and not sent");
  const nowhere = await fetch(`${address}/session.json`);
  expect([nowhere.status, await nowhere.json()]).toEqual([401, { error: "Please log in" }]);

  const second = millrace(["start"]);
  expect(await ended(second)).toBe(1);
  expect(second.err()).toMatch(/^The data directory .* is in use by another platform .*\n$/);

  const samePort = millrace(["start"], { PORT: new URL(address).port, DATA_DIR: `${dataDir}/other` });
  expect(await ended(samePort)).toBe(1);
  expect(samePort.err()).toContain(`Port ${new URL(address).port} is in use`);

  // Ctrl-C under npm arrives twice: from the terminal and from npm.
  first.child.kill("SIGINT");
  await new Promise((resolve) => setTimeout(resolve, 50));
  first.child.kill("SIGINT");
  expect(await ended(first)).toBe(0);

  const again = millrace(["start"]);
  await ready(again);
  again.child.kill("SIGTERM");
  expect(await ended(again)).toBe(0);
}, 180_000);

test("clearing a platform without a demo says that there is none", async () => {
  const run = millrace(["demo", "clear"], { DATA_DIR: `${dataDir}/fresh` });
  expect([await ended(run), run.out()]).toEqual([0, "There is no demo data.\n"]);
}, 180_000);

test("the first admin of an empty platform is created once by command and can sign in", async () => {
  const env = { DATA_DIR: `${dataDir}/fresh` };
  const nobody = millrace(["admin", "create"], env);
  expect([await ended(nobody), nobody.err()]).toEqual([1, expect.stringContaining("--email you@example.com")]);

  const whose = millrace(["authenticator", "off", "--email", "nobody"], env);
  expect([await ended(whose), whose.err()]).toEqual([1, expect.stringContaining("--email you@example.com")]);

  const made = millrace(["admin", "create", "--email", "Boss@Example.com"], env);
  expect(await ended(made)).toBe(0);
  const password = /^Password (\S{16})$/m.exec(made.out())?.[1];
  const again = millrace(["admin", "create", "--email", "boss@example.com"], env);
  expect([await ended(again), again.err()]).toEqual([1, "boss@example.com already has a login.\n"]);

  const platform = millrace(["start"], env);
  const reply = await fetch(`${await ready(platform)}/login.json`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "boss@example.com", password }),
  });
  expect([reply.status, await reply.json()]).toEqual([200, { redirect_to: "/admin" }]);
  platform.child.kill("SIGTERM");
  await ended(platform);
}, 180_000);
