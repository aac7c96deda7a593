import { type Format, MAX_ZONES } from "@millrace/contract";
import type { Pool } from "pg";
import type { Log } from "../../../platform/log.ts";
import type { AppConfig, Snapshot } from "./snapshot.ts";

const FLUSH_MS = 1000;
/** A zone that is still missing from the configuration this long after its write is written again. */
const AGAIN_MS = 60_000;
/** The name under which zones beyond the limit are counted. */
export const OTHER_ZONES = "other";

/** An app's zones that this process knows in addition to the configuration. */
interface NewZones {
  app: AppConfig;
  /** Zones with a counted impression. */
  shown: Map<string, { format: Format; writtenAt: number | null }>;
  /** Names seen only in requests, which anybody can send, so they are never written. */
  asked: Set<string>;
}

/** Registers a zone in the background after its first counted impression. */
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
   * The name to sell a zone under: its own while the app may have more zones. Names seen only in requests do not count
   * toward this limit, because made-up names could then prevent a real zone's first impression.
   */
  nameToSell(app: AppConfig, zone: string): string {
    if (app.zones.has(zone)) return zone;
    const { shown } = this.#newZonesOf(app);
    return shown.has(zone) || app.zones.size + shown.size < MAX_ZONES ? zone : OTHER_ZONES;
  }

  /** The name to count a zone's request under, so that statistics have at most as many names as the app may have zones. */
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

  /** Notes the zone of a counted impression, which `flush` registers. */
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

  /** Writes the noted zones. Retries later if that fails. */
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
      // The statement enforces the limit too, because another process may register zones of the same app.
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
   * Written zones stay noted until the app is read again, so that they count toward the limit in between. Then they are
   * forgotten, including zones that the owner has deleted since, which their next impression registers again.
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
