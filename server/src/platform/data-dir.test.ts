import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { bindLock, openDataDir, openSocketDir } from "./data-dir.ts";
import { StartError } from "./start-error.ts";

const root = mkdtempSync(join(tmpdir(), "millrace-dir-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A second process that opens the directory, reports it, and keeps running. */
async function holder(path: string): Promise<ChildProcess> {
  const file = join(root, "hold.mts");
  const source = fileURLToPath(new URL("data-dir.ts", import.meta.url));
  writeFileSync(
    file,
    `import { openDataDir } from ${JSON.stringify(source)};
     await openDataDir(process.argv[2]); process.send("held"); setInterval(() => {}, 1000);`,
  );
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const child = spawn(process.execPath, ["--import", tsx, file, path], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await once(child, "message");
  return child;
}

test("a data directory is created private to its owner, with its parent folders", async () => {
  const path = join(root, "deep", "er", "data");
  const dir = await openDataDir(path);
  expect(dir.path).toBe(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  await dir.release();
});

test("a second platform refuses with one sentence that names the directory and the holder", async () => {
  const path = join(root, "held");
  const first = await openDataDir(path);
  const second = openDataDir(path);
  await expect(second).rejects.toBeInstanceOf(StartError);
  await expect(second).rejects.toThrow(
    `${path} is in use by another platform (process ${process.pid}); stop it, or set`,
  );
  await first.release();
  const third = await openDataDir(path);
  await third.release();
});

test("the lock ends with its holder, even after kill -9", async () => {
  const path = join(root, "killed");
  const child = await holder(path);
  await expect(openDataDir(path)).rejects.toThrow(`process ${child.pid}`);
  child.kill("SIGKILL");
  await once(child, "exit");
  const mine = await openDataDir(path);
  await mine.release();
});

test("one of many simultaneous first starts wins", async () => {
  const path = join(root, "race");
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => openDataDir(path)));
  const won = outcomes.filter((outcome) => outcome.status === "fulfilled");
  expect(won).toHaveLength(1);
  await won[0]?.value.release();
});

test("a path that cannot be a directory is a StartError that names it", async () => {
  const file = join(root, "file");
  writeFileSync(file, "");
  await expect(openDataDir(file)).rejects.toThrow(`The data directory ${file} cannot be used`);
  await expect(openDataDir(join(file, "below"))).rejects.toBeInstanceOf(StartError);
});

test.runIf(process.getuid?.() === 0)(
  "a folder of another user is a StartError that says to change its owner",
  async () => {
    const dir = join(root, "foreign");
    mkdirSync(dir, { mode: 0o755 });
    chmodSync(root, 0o755);
    process.seteuid?.(65_534);
    try {
      await expect(openDataDir(dir)).rejects.toThrow(
        "make this user its owner (chown -R), or set DATA_DIR to another folder.",
      );
    } finally {
      process.seteuid?.(0);
    }
  },
);

test("a stale socket file is taken over", async () => {
  const address = join(root, "lock.sock");
  const first = await bindLock(address);
  expect(await bindLock(address)).toBeUndefined();
  first?.close();
  // A killed process leaves the file without a listener.
  const dead = spawn(process.execPath, [
    "-e",
    `require("net").createServer().listen(${JSON.stringify(address)}, () => process.kill(process.pid, "SIGKILL"))`,
  ]);
  await once(dead, "exit");
  expect(statSync(address).isSocket()).toBe(true);
  const taken = await bindLock(address);
  expect(taken).toBeDefined();
  taken?.close();
});

test("sockets of a deep data directory are placed where their path is short enough", async () => {
  const shallow = join(root, "run");
  expect(await openSocketDir(shallow, 20)).toBe(shallow);
  const deep = join(root, "d".repeat(120), "run");
  const short = await openSocketDir(deep, 20);
  expect(await openSocketDir(deep, 20)).toBe(short);
  expect(Buffer.byteLength(short) + 21).toBeLessThanOrEqual(107);
  expect(statSync(short).mode & 0o777).toBe(0o700);
  const server = createServer().listen(join(short, "x".repeat(20)));
  await once(server, "listening");
  server.close();
  rmSync(short, { recursive: true });
  // A name in the shared folder that another user has taken is not trusted.
  writeFileSync(short, "");
  const other = await openSocketDir(deep, 20);
  expect(other).not.toBe(short);
  rmSync(short);
  rmSync(other, { recursive: true });
});
