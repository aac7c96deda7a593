import { spawnSync } from "node:child_process";
import { chmod, chown, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartError } from "../start-error.ts";

/**
 * How to start a program that must not run as root: a command prefix and its user. `own` gives a folder and its content
 * to that user.
 */
export type RunAs = { prefix: string[]; uid?: number; gid?: number; own: (folder: string) => Promise<void> };

const nobody = 65_534;
const userNamespace = ["unshare", "--user", `--map-user=${nobody}`, `--map-group=${nobody}`];

/**
 * PostgreSQL refuses to run as root. Under root it is started inside a user namespace, where it is not root but keeps
 * our access to root's folders; if namespaces are forbidden, as the user nobody, if that user can reach both the
 * programs and the folder. Throws StartError if neither works.
 */
export async function chooseRunAs(program: string, folder: string, uid = process.getuid?.()): Promise<RunAs> {
  if (uid !== 0) return { prefix: [], own: async () => undefined };
  const [command = "", ...args] = userNamespace;
  if (spawnSync(command, [...args, program, "--version"], { stdio: "ignore" }).status === 0) {
    // After a start as nobody, whose files look foreign inside the namespace.
    if ((await stat(folder)).uid !== 0) await ownTree(folder, 0);
    return { prefix: userNamespace, own: async () => undefined };
  }
  const direct = spawnSync(program, ["--version"], { encoding: "utf8" });
  if (direct.status !== 0) {
    throw new StartError(
      `${program} does not run on this machine (${direct.stderr.trim() || String(direct.error)}). ` +
        `Install again with its install script allowed, or set DATABASE_URL.`,
    );
  }
  return runAsNobody(program, folder);
}

/** The fallback for machines without user namespaces. */
export async function runAsNobody(program: string, folder: string): Promise<RunAs> {
  const user = { uid: nobody, gid: nobody };
  const own = (path: string): Promise<void> => ownTree(path, nobody);
  await own(folder);
  await letPass(dirname(folder));
  const reaches = (command: string, args: string[]): boolean =>
    spawnSync(command, args, { ...user, cwd: "/", stdio: "ignore" }).status === 0;
  if (reaches(program, ["--version"]) && reaches("/bin/sh", ["-c", 'test -w "$0" && test -x "$0"', folder])) {
    return { prefix: [], ...user, own };
  }
  throw new StartError(
    `PostgreSQL refuses to run as root, and here it can neither get a user namespace nor can the user nobody reach ` +
      `${folder} and ${program}. Start millrace as an ordinary user, put it and DATA_DIR where everybody may enter, ` +
      `or set DATABASE_URL.`,
  );
}

/** The data directory is private to root: nobody's group may traverse it, not list it. */
async function letPass(dataDir: string): Promise<void> {
  const { uid, mode } = await stat(dataDir);
  if (uid !== 0 || (mode & 0o077) !== 0) return;
  await chown(dataDir, 0, nobody);
  await chmod(dataDir, 0o710);
}

async function ownTree(folder: string, id: number): Promise<void> {
  await chown(folder, id, id);
  const entries = await readdir(folder, { withFileTypes: true });
  await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? ownTree(path, id) : chown(path, id, id);
    }),
  );
}
