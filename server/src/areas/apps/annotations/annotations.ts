import {
  type Annotation,
  type Annotations,
  MOST_ANNOTATIONS,
  type StatsFilter,
  mayUse,
  narrowed,
} from "@millrace/contract";
import { DAY_MS, type DayRange, dayStartMs } from "@millrace/units";
import type { Caller } from "../../../platform/http/caller.ts";
import { type ReadAct, readActs } from "../../audit/index.ts";
import type { AppsDeps } from "../deps.ts";
import type { App } from "../store.ts";
import { ANNOTATED, GENERAL_TEXTS, annotationText, concerns, isAnnotated } from "./annotation-text.ts";

/** What the screens call an admin who acts for the account. */
const SUPPORT = "Support";

type Filter = DayRange & Pick<StatsFilter, "country" | "format" | "provider">;

/**
 * What changed in these apps within the days and the filter, the oldest first. Settings' values and names are for those who may
 * open settings.
 */
export async function annotationsOf(
  deps: AppsDeps,
  { caller, signal }: { caller: Caller; signal: AbortSignal },
  apps: readonly App[],
  filter: Filter,
): Promise<Annotations> {
  const [changes, versions] = await Promise.all([
    settingsChanges(deps, caller, apps, filter),
    deps.statistics.turns.run(caller.accountId, () => sdkVersions(deps, apps, filter), signal),
  ]);
  const annotations = [...changes, ...versions]
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .slice(-MOST_ANNOTATIONS);
  return { annotations };
}

async function settingsChanges(
  deps: AppsDeps,
  caller: Caller,
  apps: readonly App[],
  { ds, de, ...filter }: Filter,
): Promise<Annotation[]> {
  const acts = await readActs(deps.pool, caller.accountId, {
    actions: Object.keys(ANNOTATED),
    subjects: apps.map(({ uuid }) => uuid),
    fromMs: dayStartMs(ds),
    toMs: dayStartMs(de) + DAY_MS,
    most: MOST_ANNOTATIONS,
  });
  const mayOpenSettings = mayUse("settings.manage", caller) && !caller.byToken;
  const actors = acts.flatMap(({ actorUserId }) => (actorUserId === null ? [] : [actorUserId]));
  const [partners, people] = await Promise.all([
    deps.providerNames(),
    mayOpenSettings ? deps.memberNames(caller.accountId, [...new Set(actors)]) : new Map<number, string>(),
  ]);
  const whoOf = ({ byAdmin, actorUserId }: ReadAct): string | null => {
    if (!mayOpenSettings) return null;
    return byAdmin ? SUPPORT : (people.get(actorUserId ?? 0) ?? null);
  };
  const narrow = {
    countries: narrowed(filter.country),
    formats: narrowed(filter.format),
    providers: narrowed(filter.provider),
  };
  const byUuid = new Map(apps.map((app) => [app.uuid, app]));
  return acts.flatMap((act) => {
    const app = byUuid.get(act.subject);
    if (!app || !isAnnotated(act.action) || !concerns(act.action, act.details, narrow)) return [];
    const kind = ANNOTATED[act.action];
    const text = mayOpenSettings
      ? annotationText(act.action, act.details, (id) => partners.get(id) ?? id)
      : GENERAL_TEXTS[kind];
    return [{ at: act.at.toISOString(), kind, text, who: whoOf(act), app: appOf(app) }];
  });
}

async function sdkVersions(
  { statistics }: AppsDeps,
  apps: readonly App[],
  { ds, de }: DayRange,
): Promise<Annotation[]> {
  const byId = new Map(apps.map((app) => [app.id, app]));
  const versions = await statistics.firstDaysOfSdks([...byId.keys()]);
  return versions.flatMap(({ appId, version, day }) => {
    const app = byId.get(appId);
    if (!app || day < ds || day > de) return [];
    return [{ at: `${day}T00:00:00.000Z`, kind: "sdk" as const, text: `SDK ${version}`, who: null, app: appOf(app) }];
  });
}

const appOf = ({ id, uuid, name }: App): Annotation["app"] => ({ app_id: id, uuid, name });
