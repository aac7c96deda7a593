import { type AppReach, reaches } from "../../../platform/http/caller.ts";
import { Problem } from "../../../platform/http/problem.ts";
import type { AppConfig } from "../config/snapshot.ts";
import { type ConfigSource, configuration } from "../http/configuration.ts";

export interface FindAppDeps {
  config: ConfigSource;
  /** Reads pending changes of the configuration now. */
  reloadConfig(): Promise<void>;
  /** Whether this app is within reach, even one that never serves. */
  hasApp(reach: AppReach, uuid: string): Promise<boolean>;
}

/**
 * An app within reach that the exchange knows, also one that was just added. Problem `not_found` for an app out of reach,
 * `unprocessable` with `sampleText` for one that never serves.
 */
export async function findServingApp(
  deps: FindAppDeps,
  reach: AppReach,
  uuid: string,
  sampleText: string,
): Promise<AppConfig> {
  const find = () => {
    const found = configuration(deps.config).byUuid.get(uuid.toLowerCase());
    return found && reaches(reach, found) ? found : undefined;
  };
  const known = find();
  if (known) return known;
  if (!(await deps.hasApp(reach, uuid))) throw new Problem("not_found", "There is no such app");
  await deps.reloadConfig();
  const added = find();
  if (!added) throw new Problem("unprocessable", sampleText);
  return added;
}
