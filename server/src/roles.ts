import { join } from "node:path";
import type { Settings } from "./platform/settings.ts";
import { StartError } from "./platform/start-error.ts";

/** What a process does: sell ads, serve the web, or run jobs. One process does all three unless told otherwise. */
export const ROLES = ["exchange", "dashboard", "worker"] as const;
export type Role = (typeof ROLES)[number];
export type Roles = ReadonlySet<Role>;

export const ALL_ROLES: Roles = new Set(ROLES);

/** The roles that are named on the command line. Throws StartError for an unknown one. */
export function rolesNamed(names: readonly string[]): Roles {
  if (names.length === 0) return ALL_ROLES;
  return new Set(
    names.map((name) => {
      const role = ROLES.find((each) => each === name);
      if (!role) throw new StartError(`There is no role "${name}"; --role is one of ${ROLES.join(", ")}.`);
      return role;
    }),
  );
}

/** Processes that share stores and secrets must be told where they are. Throws StartError if one is missing. */
export function assertSharedStores(settings: Settings, roles: Roles): void {
  if (roles.size === ROLES.length) return;
  const needed = {
    DATABASE_URL: settings.databaseUrl,
    CLICKHOUSE_URL: settings.clickhouseUrl,
    MILLRACE_SECRET: settings.secret,
  };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === 0) return;
  const role = [...roles].join(" and ");
  throw new StartError(
    `The role ${role} needs ${missing.join(" and ")}: a process with one role shares its stores and its secret with others.`,
  );
}

/** The folder of a process's own journal: the data directory, or for a dashboard or a worker, which share it, a part of it. */
export function folderOf(dataDir: string, roles: Roles): string {
  if (roles.has("exchange")) return dataDir;
  return join(dataDir, roles.has("dashboard") ? "dashboard" : "worker");
}
