import type { Format } from "@millrace/contract";
import type { Pool } from "pg";
import type { Log } from "../../../platform/log.ts";
import type { AppConfig } from "./snapshot.ts";

/** More places than this no app has; further names are a mistake, or somebody else's idea of fun. */
const MAX_ZONES = 500;
const FLUSH_MS = 1000;
/** Under this name the zones beyond the limit are counted together. */
export const OTHER_ZONES = "other";

/** Zones are registered at their first request, beside the answer. */
export class ZoneRegistry {
  readonly #pool: Pool;
  readonly #log: Log;
  /** Seen and not known to be in the store yet, by app. */
  readonly #fresh = new Map<number, Map<string, Format>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Notes a request's zone and returns the name to count it under. */
  note(app: AppConfig, zone: string, format: Format): string {
    if (app.zones.has(zone)) return zone;
    const fresh = this.#fresh.get(app.id) ?? new Map<string, Format>();
    if (fresh.has(zone)) return zone;
    if (app.zones.size + fresh.size >= MAX_ZONES) return OTHER_ZONES;
    fresh.set(zone, format);
    this.#fresh.set(app.id, fresh);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
    return zone;
  }

  /** Writes what was noted. What could not be written is tried again with the next. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#fresh].flatMap(([appId, zones]) =>
      [...zones].map(([zone, format]) => ({ appId, zone, format })),
    );
    if (rows.length === 0) return;
    try {
      await this.#pool.query(
        `INSERT INTO zones (app_id, zone, name, format)
         SELECT new.app_id, new.zone, new.zone, new.format
         FROM unnest($1::int[], $2::text[], $3::text[]) AS new (app_id, zone, format)
         JOIN apps ON apps.id = new.app_id
         ON CONFLICT DO NOTHING`,
        [rows.map(({ appId }) => appId), rows.map(({ zone }) => zone), rows.map(({ format }) => format)],
      );
      for (const { appId, zone } of rows) {
        const fresh = this.#fresh.get(appId);
        fresh?.delete(zone);
        if (fresh?.size === 0) this.#fresh.delete(appId);
      }
    } catch (error) {
      this.#log.warn({ err: error }, "zones could not be registered; they will be with their next request");
      this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS * 10);
      this.#timer.unref();
    }
  }
}
