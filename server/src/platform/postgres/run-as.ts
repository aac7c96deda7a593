import { spawnSync } from "node:child_process";
import { chown, readdir } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "../start-error.ts";

/**
 * How a program is started so that it does not see itself as root: words put before its command, and the user it gets.
 * `own` hands a folder, with all that is in it, to that user.
 */
export type RunAs = { prefix: string[]; uid?: number; gid?: number; own: (folder: string) => Promise<void> };

const nobody = 65_534;
const userNamespace = ["unshare", "--user", `--map-user=${nobody}`, `--map-group=${nobody}`];

/**
 * PostgreSQL refuses to run as root. Under root it is started inside a user namespace, where it sees itself as nobody
 * and yet keeps our rights to folders that only root can enter; where namespaces are forbidden, as the user nobody if
 * that user can reach both the programs and the folder. Throws StartError where neither works.
 */
export async function chooseRunAs(program: string, folder: string, uid = process.getuid?.()): Promise<RunAs> {
  if (uid !== 0) return { prefix: [], own: async () => undefined };
  const [command = "", ...args] = userNamespace;
  if (spawnSync(command, [...args, program, "--version"], { stdio: "ignore" }).status === 0) {
    return { prefix: userNamespace, own: async () => undefined };
  }
  return runAsNobody(program, folder);
}

/** The second way, for machines without user namespaces. */
export async function runAsNobody(program: string, folder: string): Promise<RunAs> {
  const user = { uid: nobody, gid: nobody };
  await own(folder);
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

async function own(folder: string): Promise<void> {
  await chown(folder, nobody, nobody);
  const entries = await readdir(folder, { withFileTypes: true });
  await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? own(path) : chown(path, nobody, nobody);
    }),
  );
}
