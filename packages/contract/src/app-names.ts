import { PLATFORM_LABELS, type Platform } from "./constants.ts";

interface NamedApp {
  app_id: number;
  name: string;
  platform: Platform;
  deleted?: boolean | undefined;
}

/** An app's name; a deleted app keeps its figures, and its name says why it has no page. */
export const appLabel = ({ name, deleted }: Pick<NamedApp, "name" | "deleted">): string =>
  deleted === true ? `${name} (deleted)` : name;

/** The label of each app in a list: its name, with its platform if another app has the same name. */
export function appNames(apps: readonly NamedApp[]): ReadonlyMap<number, string> {
  const seen = new Map<string, number>();
  for (const label of apps.map(appLabel)) seen.set(label, (seen.get(label) ?? 0) + 1);
  return new Map(
    apps.map(({ app_id: id, name, platform, deleted }) => {
      const label = appLabel({ name, deleted });
      const isShared = (seen.get(label) ?? 0) > 1;
      return [id, isShared ? appLabel({ name: `${name}, ${PLATFORM_LABELS[platform]}`, deleted }) : label];
    }),
  );
}
