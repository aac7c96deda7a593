import { createHash, randomBytes } from "node:crypto";
import { chmod, link, lstat, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MIB, freeBytes } from "./disk-space.ts";
import { errorMessage } from "./error-message.ts";
import { StartError } from "./start-error.ts";

/** A data directory that this process holds until `release` or until it ends in any way. */
export type DataDir = { path: string; release: () => Promise<void> };

/**
 * Creates the directory (0700) if it is missing and locks it for this process. The lock is a bound socket, which the
 * kernel frees with the process, so kill -9 leaves no stale lock. Throws StartError if another platform holds it or the
 * directory cannot be used.
 */
export async function openDataDir(path: string): Promise<DataDir> {
  const dir = resolve(path);
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await chmod(dir, 0o700);
  } catch (error) {
    // As after a restore by root.
    const mend = isDenied(error) ? "make this user its owner (chown -R), or set" : "set";
    throw new StartError(
      `The data directory ${dir} cannot be used (${errorMessage(error)}); ${mend} DATA_DIR to another folder.`,
    );
  }
  await assertRoomToStart(dir);
  const server = await bindLock(await lockAddress(dir));
  if (server === undefined) {
    const holder = await readFile(join(dir, "platform.pid"), "utf8").catch(() => "");
    const who = holder === "" ? "another platform" : `another platform (process ${holder.trim()})`;
    throw new StartError(`The data directory ${dir} is in use by ${who}; stop it, or set DATA_DIR to another folder.`);
  }
  await writeFile(join(dir, "platform.pid"), `${process.pid}\n`, { mode: 0o600 });
  return {
    path: dir,
    release: () => new Promise((done) => server.close(() => done())),
  };
}

const isDenied = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "EPERM" || error.code === "EACCES");

/** The space that both stores need before there is any data. */
const FIRST_START_BYTES = 200 * MIB;

/** Without this check, a first start on a full disk fails halfway with a store's own error. */
async function assertRoomToStart(dir: string): Promise<void> {
  const isFirst = !(await stat(join(dir, "lock-id")).then(Boolean, () => false));
  const needed = isFirst ? FIRST_START_BYTES : MIB;
  const free = await freeBytes(dir);
  if (free >= needed) return;
  throw new StartError(
    `The data directory ${dir} has ${Math.floor(free / MIB)} MB of free space, and ${isFirst ? "a first start" : "a start"} needs ${needed / MIB} MB; free some, or set DATA_DIR to a folder on another disk.`,
  );
}

/**
 * A private folder (0700) whose socket files stay within the ~107 bytes that the kernel allows for a socket's path: the
 * wanted one if it is short enough, else one under the system's temporary folder. `longestName` is in bytes.
 */
export async function openSocketDir(path: string, longestName: number): Promise<string> {
  const dir = resolve(path);
  if (Buffer.byteLength(dir) + 1 + longestName <= 100) {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await chmod(dir, 0o700);
    return dir;
  }
  const digest = createHash("sha256").update(dir).digest("hex").slice(0, 16);
  const short = join(tmpdir(), `millrace-${digest}`);
  await mkdir(short, { mode: 0o700 }).catch(() => undefined);
  // In a world-writable folder another user may have taken the name.
  const found = await lstat(short).catch(() => undefined);
  if (found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o77) === 0) return short;
  return mkdtemp(join(tmpdir(), "millrace-"));
}

/**
 * On Linux an abstract socket: it has no file that could go stale. Its name contains a secret of the directory, so that
 * only processes that can read the directory can lock it, and its inode, so that a copy of the directory has its own
 * lock.
 */
async function lockAddress(dir: string): Promise<string> {
  const file = join(dir, "lock-id");
  let secret = await readFile(file, "utf8").catch(() => "");
  if (secret === "") {
    const fresh = join(dir, `lock-id.${randomBytes(6).toString("hex")}`);
    await writeFile(fresh, randomBytes(16).toString("hex"), { mode: 0o600 });
    // link() fails if the name exists, so of two concurrent first starts one id wins for both.
    await link(fresh, file).catch(() => undefined);
    await rm(fresh);
    secret = await readFile(file, "utf8");
  }
  const { dev, ino } = await stat(dir);
  const name = `millrace-${secret.slice(0, 32)}-${dev}-${ino}`;
  return process.platform === "linux" ? `\0${name}` : join(await openSocketDir(join(dir, "run"), 16), "platform.lock");
}

/** Binds the address, or resolves to undefined when another process holds it. */
export async function bindLock(address: string): Promise<Server | undefined> {
  const server = await listen(address);
  if (server !== undefined || address.startsWith("\0")) return server;
  // A socket file outlives its process: it is held only if something answers.
  if (await answers(address)) return undefined;
  await rm(address, { force: true });
  return listen(address);
}

function listen(address: string): Promise<Server | undefined> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? done(undefined) : fail(error),
    );
    server.listen(address, () => {
      server.unref();
      done(server);
    });
  });
}

function answers(address: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(address);
    socket.once("connect", () => (socket.destroy(), done(true)));
    socket.once("error", () => done(false));
  });
}
