import { PLATFORM_LABELS, type Platform } from "./constants.ts";

interface NamedApp {
  app_id: number;
  name: string;
  platform: Platform;
}

/** The label of each app in a list: its name, with its platform if another app has the same name. */
export function appNames(apps: readonly NamedApp[]): ReadonlyMap<number, string> {
  const seen = new Map<string, number>();
  for (const { name } of apps) seen.set(name, (seen.get(name) ?? 0) + 1);
  return new Map(
    apps.map(({ app_id: id, name, platform }) => [
      id,
      (seen.get(name) ?? 0) > 1 ? `${name}, ${PLATFORM_LABELS[platform]}` : name,
    ]),
  );
}
