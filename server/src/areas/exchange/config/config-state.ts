import { createHash } from "node:crypto";
import type { Pause } from "../../../platform/pauses.ts";
import type { PartnerKeysRow, PartnerRow } from "../../demand-partners/index.ts";
import { type AppDemand, appConfigOf, demandOf, partnerConfigOf } from "./app-config.ts";
import type { AppRows } from "./config-rows.ts";
import type { AppConfig, PartnerConfig, Snapshot } from "./snapshot.ts";

/** The part of an app's rows that is kept: enough to detect changes, and to rebuild its demand when partners change. */
interface AppEntry {
  digest: bigint;
  keys: readonly PartnerKeysRow[];
}

/** A snapshot and its sources. Immutable. */
export interface ConfigState {
  apps: ReadonlyMap<number, AppEntry>;
  partnersDigest: bigint;
  /** Of each partner by its id, to detect which have changed. */
  partnerDigests: ReadonlyMap<string, bigint>;
  /** The sum of all digests, updated incrementally. */
  digest: bigint;
  snapshot: Snapshot;
}

/** Newly read rows: all partners, and apps by id; null for an app that no longer serves. */
export interface Renewed {
  partners?: readonly PartnerRow[];
  apps: ReadonlyMap<number, AppRows | null>;
}

export const EMPTY_STATE: ConfigState = {
  apps: new Map(),
  partnersDigest: 0n,
  partnerDigests: new Map(),
  digest: 0n,
  snapshot: {
    version: versionOf(0n),
    byId: new Map(),
    byUuid: new Map(),
    byBundle: new Map(),
    partners: new Map(),
  },
};

/**
 * The state after a read. Unchanged apps and partners are shared with the previous state, so a change costs its own size; only a
 * change of partners touches every app, and there only what the app has at the changed ones. Returns the same state if no row has changed.
 */
export async function renewState(before: ConfigState, renewed: Renewed, pause: Pause): Promise<ConfigState> {
  const { partners: partnerRows } = renewed;
  const partnersDigest = partnerRows === undefined ? before.partnersDigest : digestOf(partnerRows);
  const havePartnersChanged = partnersDigest !== before.partnersDigest;
  const apps = new Map(before.apps);
  const changed = new Map<number, AppRows | null>();
  let digest = before.digest + partnersDigest - before.partnersDigest;
  for (const [id, rows] of renewed.apps) {
    const [old, now] = [apps.get(id)?.digest, rows === null ? undefined : digestOf(rows)];
    await pause();
    if (now === old) continue;
    digest += (now ?? 0n) - (old ?? 0n);
    changed.set(id, rows);
    if (rows !== null && now !== undefined) apps.set(id, { digest: now, keys: rows.keys });
    else apps.delete(id);
  }
  if (changed.size === 0 && !havePartnersChanged) return before;
  digest = BigInt.asUintN(64, digest);

  const { snapshot } = before;
  const { partners, partnerDigests } =
    havePartnersChanged && partnerRows
      ? renewPartners(before, partnerRows)
      : { partners: snapshot.partners, partnerDigests: before.partnerDigests };
  const demand = demandMaker([...partners.values()]);
  const updated = new Map<number, AppConfig | null>();
  for (const [id, rows] of changed) {
    updated.set(id, rows && appConfigOf(rows, demand(rows.keys)));
    await pause();
  }
  if (havePartnersChanged) {
    for (const [id, app] of snapshot.byId) {
      if (!updated.has(id)) updated.set(id, { ...app, ...demand(apps.get(id)?.keys ?? [], app) });
      await pause();
    }
  }
  return {
    apps,
    partnersDigest,
    partnerDigests,
    digest,
    snapshot: {
      version: versionOf(digest),
      ...(await indexApps(snapshot, updated, pause)),
      partners,
    },
  };
}

/** Makes the partners of these rows, in their order. A partner keeps its configuration while its row stays the same. */
function renewPartners({ partnerDigests: before, snapshot }: ConfigState, rows: readonly PartnerRow[]) {
  const partners = new Map<string, PartnerConfig>();
  const partnerDigests = new Map<string, bigint>();
  for (const row of rows) {
    const digest = digestOf(row);
    const config = before.get(row.id) === digest ? snapshot.partners.get(row.id) : partnerConfigOf(row);
    if (config) partners.set(row.id, config);
    partnerDigests.set(row.id, digest);
  }
  return { partners, partnerDigests };
}

/**
 * Builds the demand of apps at these partners. Apps without keys share one, since most of them await moderation. `before` is
 * what the app has so far, if its keys have not changed.
 */
function demandMaker(
  partners: readonly PartnerConfig[],
): (keys: readonly PartnerKeysRow[], before?: AppDemand) => AppDemand {
  const keyless = demandOf(partners, []);
  return (keys, before) => (keys.length === 0 ? keyless : demandOf(partners, keys, before));
}

/** The names by which requests may know an app. */
const namesOf = ({ bundleId, bundle }: AppConfig): string[] => [
  ...new Set([bundleId.toLowerCase(), bundle.toLowerCase()]),
];

type AppIndex = Pick<Snapshot, "byId" | "byUuid" | "byBundle">;

/** Replaces apps of a snapshot, or removes those that are null. */
async function indexApps(
  before: AppIndex,
  updated: ReadonlyMap<number, AppConfig | null>,
  pause: Pause,
): Promise<AppIndex> {
  const [byId, byUuid, byBundle] = [new Map(before.byId), new Map(before.byUuid), new Map(before.byBundle)];
  const bundles = new Map<string, AppConfig[]>();
  const group = (bundle: string): AppConfig[] => {
    const apps = bundles.get(bundle) ?? [...(byBundle.get(bundle) ?? [])].filter(({ id }) => !updated.has(id));
    bundles.set(bundle, apps);
    return apps;
  };
  for (const id of updated.keys()) {
    const old = byId.get(id);
    if (!old) continue;
    byId.delete(id);
    byUuid.delete(old.uuid);
    for (const name of namesOf(old)) group(name);
    await pause();
  }
  for (const app of updated.values()) {
    if (!app) continue;
    byId.set(app.id, app);
    byUuid.set(app.uuid, app);
    for (const name of namesOf(app)) group(name).push(app);
    await pause();
  }
  // An app without a bundle is found only by its key.
  bundles.delete("");
  for (const [bundle, apps] of bundles) {
    if (apps.length > 0)
      byBundle.set(
        bundle,
        apps.toSorted((one, other) => one.id - other.id),
      );
    else byBundle.delete(bundle);
    await pause();
  }
  return { byId, byUuid, byBundle };
}

const digestOf = (rows: unknown): bigint =>
  createHash("sha256").update(JSON.stringify(rows)).digest().readBigUInt64BE();

/** Computed from the content, so that every process has the same version for the same configuration. */
function versionOf(digest: bigint): string {
  return digest.toString(16).padStart(16, "0");
}
