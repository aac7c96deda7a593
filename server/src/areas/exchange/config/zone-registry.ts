import { type Format, MAX_ZONES } from "@millrace/contract";
import type { Pool } from "pg";
import type { Log } from "../../../platform/log.ts";
import type { AppConfig, Snapshot } from "./snapshot.ts";

const FLUSH_MS = 1000;
/** A zone that the configuration does not show this long after it was written may be gone again: it is written anew. */
const AGAIN_MS = 60_000;
/** Zones beyond the limit are counted together under this name. */
export const OTHER_ZONES = "other";

/** What this process knows of an app's zones beside this configuration of it. */
interface NewZones {
  app: AppConfig;
  /** Zones with a counted impression. */
  shown: Map<string, { format: Format; writtenAt: number | null }>;
  /** Names that have come with requests alone: anybody can send those, so they are never written. */
  asked: Set<string>;
}

/** Registers a zone once an impression of it is counted, beside the answer. */
export class ZoneRegistry {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #configuration: () => Snapshot | null;
  readonly #byApp = new Map<number, NewZones>();
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool, log: Log, configuration: () => Snapshot | null) {
    this.#pool = pool;
    this.#log = log;
    this.#configuration = configuration;
  }

  /**
   * The name to sell a zone under: its own while the app may have another zone. What was only asked for does not count
   * toward the limit here, or made-up names would keep a real zone from its first impression.
   */
  nameToSell(app: AppConfig, zone: string): string {
    if (app.zones.has(zone)) return zone;
    const { shown } = this.#newZonesOf(app);
    return shown.has(zone) || app.zones.size + shown.size < MAX_ZONES ? zone : OTHER_ZONES;
  }

  /** The name to count a zone's request under: an app's statistics hold no more names than it may have zones. */
  nameToCount(appId: number, zone: string): string {
    const app = this.#configuration()?.byId.get(appId);
    if (!app) return OTHER_ZONES;
    if (app.zones.has(zone)) return zone;
    const { shown, asked } = this.#newZonesOf(app);
    if (shown.has(zone) || asked.has(zone)) return zone;
    if (app.zones.size + shown.size + asked.size >= MAX_ZONES) return OTHER_ZONES;
    asked.add(zone);
    return zone;
  }

  /** Notes the zone of a counted impression, to be registered. */
  noteImpression(appId: number, zone: string, format: Format): void {
    const app = this.#configuration()?.byId.get(appId);
    if (!app || app.zones.has(zone)) return;
    const { shown, asked } = this.#newZonesOf(app);
    const noted = shown.get(zone);
    if (noted ? isRecent(noted) : app.zones.size + shown.size >= MAX_ZONES) return;
    asked.delete(zone);
    shown.set(zone, { format, writtenAt: null });
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }

  /** Writes the noted zones; those that cannot be written are tried again later. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#byApp].flatMap(([appId, { shown }]) =>
      [...shown].flatMap(([zone, noted]) =>
        noted.writtenAt === null ? [{ appId, zone, noted, format: noted.format }] : [],
      ),
    );
    if (rows.length === 0) return;
    try {
      // Another process may have registered zones of the same app: the store holds the limit, too.
      await this.#pool.query(
        `INSERT INTO zones (app_id, zone, name, format)
         SELECT new.app_id, new.zone, new.zone, new.format
         FROM (SELECT *, row_number() OVER (PARTITION BY app_id) AS nth
               FROM unnest($1::int[], $2::text[], $3::text[]) AS noted (app_id, zone, format)) AS new
         JOIN apps ON apps.id = new.app_id
         WHERE new.nth + (SELECT count(*) FROM zones WHERE zones.app_id = new.app_id) <= $4
         ON CONFLICT DO NOTHING`,
        [rows.map(({ appId }) => appId), rows.map(({ zone }) => zone), rows.map(({ format }) => format), MAX_ZONES],
      );
      const writtenAt = performance.now();
      for (const { noted } of rows) noted.writtenAt = writtenAt;
    } catch (error) {
      this.#log.warn({ err: error }, "zones could not be registered and will be tried again");
      this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS * 10);
      this.#timer.unref();
    }
  }

  /**
   * Written zones stay noted until the app is read again, or they would not count toward the limit in between. Then they
   * are forgotten, also one that is not there any more: its owner has deleted it, and its next impression brings it back.
   */
  #newZonesOf(app: AppConfig): NewZones {
    let zones = this.#byApp.get(app.id);
    if (!zones) this.#byApp.set(app.id, (zones = { app, shown: new Map(), asked: new Set() }));
    if (zones.app !== app) {
      for (const [zone, { writtenAt }] of zones.shown)
        if (writtenAt !== null || app.zones.has(zone)) zones.shown.delete(zone);
      for (const zone of zones.asked) if (app.zones.has(zone)) zones.asked.delete(zone);
      zones.app = app;
    }
    return zones;
  }
}

const isRecent = ({ writtenAt }: { writtenAt: number | null }) =>
  writtenAt === null || performance.now() - writtenAt < AGAIN_MS;
