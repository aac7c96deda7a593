import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "../start-error.ts";

export type Migration = { name: string; sql: string; checksum: string };

const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/;

/**
 * The `NNNN_name.sql` files of a folder in order. Throws StartError for a name of another form or a number used twice.
 */
export async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith(".sql")).sort();
  for (const [index, name] of names.entries()) {
    if (!FILE_NAME.test(name)) throw new StartError(`The migration ${join(dir, name)} is not called NNNN_name.sql.`);
    const before = names[index - 1];
    if (before?.slice(0, 4) === name.slice(0, 4)) {
      throw new StartError(
        `The migrations ${before} and ${name} in ${dir} have the same number; renumber the newer one.`,
      );
    }
  }
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(dir, name), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/**
 * The pending migrations. Throws StartError if an applied one was changed or is missing: the store then differs from
 * the files, which needs a person.
 */
export function pendingMigrations(files: readonly Migration[], applied: ReadonlyMap<string, string>): Migration[] {
  const known = new Map(files.map((file) => [file.name, file.checksum]));
  for (const [name, checksum] of applied) {
    const found = known.get(name);
    if (found === undefined) {
      throw new StartError(
        `The store has the migration ${name}, which this version does not know: start a newer version.`,
      );
    }
    if (found !== checksum) {
      throw new StartError(
        `The migration ${name} was changed after it had been applied: restore it, and add a new one.`,
      );
    }
  }
  return files.filter((file) => !applied.has(file.name));
}
