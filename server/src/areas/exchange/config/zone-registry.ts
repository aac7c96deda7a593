import type { Format } from "@millrace/contract";
import type { Pool } from "pg";
import type { Log } from "../../../platform/log.ts";
import type { AppConfig } from "./snapshot.ts";

/** No app has more zones; further names are mistakes or abuse. */
const MAX_ZONES = 500;
const FLUSH_MS = 1000;
/** Under this name the zones beyond the limit are counted together. */
export const OTHER_ZONES = "other";

/** An app's zones that are newer than its configuration in memory. */
interface FreshZones {
  app: AppConfig;
  zones: Map<string, { format: Format; isWritten: boolean }>;
}

/** Zones are registered at their first request, after the answer. */
export class ZoneRegistry {
  readonly #pool: Pool;
  readonly #log: Log;
  /** The zones that the configuration does not have yet, by app. */
  readonly #fresh = new Map<number, FreshZones>();
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Notes a request's zone and returns the name to count it under. */
  note(app: AppConfig, zone: string, format: Format): string {
    if (app.zones.has(zone)) return zone;
    const fresh = this.#freshOf(app);
    if (fresh.has(zone)) return zone;
    if (app.zones.size + fresh.size >= MAX_ZONES) return OTHER_ZONES;
    fresh.set(zone, { format, isWritten: false });
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
    return zone;
  }

  /** Writes new zones. Failed ones are retried with the next. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#fresh].flatMap(([appId, { zones }]) =>
      [...zones].flatMap(([zone, noted]) => (noted.isWritten ? [] : [{ appId, zone, noted, format: noted.format }])),
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
      for (const { noted } of rows) noted.isWritten = true;
    } catch (error) {
      this.#log.warn({ err: error }, "zones could not be registered; they will be with their next request");
      this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS * 10);
      this.#timer.unref();
    }
  }

  /** Written zones stay noted until the configuration has them, or they would not count towards the limit in between. */
  #freshOf(app: AppConfig): FreshZones["zones"] {
    const fresh: FreshZones = this.#fresh.get(app.id) ?? { app, zones: new Map() };
    if (fresh.app !== app) {
      for (const zone of fresh.zones.keys()) if (app.zones.has(zone)) fresh.zones.delete(zone);
      fresh.app = app;
    }
    this.#fresh.set(app.id, fresh);
    return fresh.zones;
  }
}
