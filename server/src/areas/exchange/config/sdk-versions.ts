import { versionNumber } from "@millrace/contract";
import type { Pool } from "pg";
import type { Log } from "../../../platform/log.ts";

const FLUSH_MS = 2000;
/** The minimum time between writes of when an app's SDK was seen, unless its version has risen. */
const AGAIN_MS = 60_000;

interface Seen {
  /** Null while there were only sessions, whose versions are not trusted. */
  version: string | null;
  writtenAt: number;
  isDirty: boolean;
}

/**
 * Writes the newest SDK version of each app, and when its SDK was last seen. Anybody can start a session with any version,
 * so a version is registered with its first counted impression. From then on sessions update when the SDK was seen, also on
 * days without ads.
 */
export class SdkVersions {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #byApp = new Map<number, Seen>();
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  noteSession(appId: number): void {
    this.#note(appId, null);
  }

  noteImpression(appId: number, version: string): void {
    this.#note(appId, version);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const dirty = [...this.#byApp].filter(([, { isDirty }]) => isDirty);
    if (dirty.length === 0) return;
    try {
      await this.#pool.query(
        // Another process may have seen a newer version.
        `UPDATE apps SET sdk_seen_at = now(), sdk_version = CASE
           WHEN new.version IS NULL OR (apps.sdk_version ~ '^[0-9]{1,5}([.][0-9]{1,5}){2}$'
             AND string_to_array(apps.sdk_version, '.')::int[] > string_to_array(new.version, '.')::int[])
           THEN apps.sdk_version ELSE new.version END
         FROM unnest($1::int[], $2::text[]) AS new (id, version)
         WHERE apps.id = new.id AND (new.version IS NOT NULL OR apps.sdk_version IS NOT NULL)`,
        [dirty.map(([id]) => id), dirty.map(([, { version }]) => version)],
      );
      const writtenAt = performance.now();
      for (const [id, seen] of dirty) {
        // A version noted in the meantime must still be written.
        if (this.#byApp.get(id) === seen) this.#byApp.set(id, { ...seen, writtenAt, isDirty: false });
      }
    } catch (error) {
      this.#log.warn({ err: error }, "SDK versions could not be written; the next session tries again");
    }
  }

  #note(appId: number, version: string | null): void {
    const seen = this.#byApp.get(appId);
    const known = seen?.version ?? null;
    const isNewer =
      version !== null && version !== known && (known === null || versionNumber(version) > versionNumber(known));
    if (seen && !isNewer && performance.now() - seen.writtenAt < AGAIN_MS) return;
    this.#byApp.set(appId, {
      version: isNewer ? version : known,
      writtenAt: seen?.writtenAt ?? -AGAIN_MS,
      isDirty: true,
    });
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }
}
