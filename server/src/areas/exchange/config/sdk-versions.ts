import type { Pool } from "pg";
import type { Log } from "../../../platform/log.ts";

const FLUSH_MS = 2000;
/** An app's last sign of life is written no more often, unless its version has risen. */
const AGAIN_MS = 60_000;

interface Seen {
  version: string;
  writtenAt: number;
  isDirty: boolean;
}

/** The newest SDK version of each app and when it was last seen, written periodically instead of at every init. */
export class SdkVersions {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #byApp = new Map<number, Seen>();
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  note(appId: number, version: string): void {
    const seen = this.#byApp.get(appId);
    const isNewer = seen === undefined || isHigher(version, seen.version);
    if (!isNewer && performance.now() - seen.writtenAt < AGAIN_MS) return;
    this.#byApp.set(appId, {
      version: isNewer ? version : seen.version,
      writtenAt: seen?.writtenAt ?? -AGAIN_MS,
      isDirty: true,
    });
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const dirty = [...this.#byApp].filter(([, { isDirty }]) => isDirty);
    if (dirty.length === 0) return;
    try {
      await this.#pool.query(
        // A younger process may have seen a newer version than this one.
        `UPDATE apps SET sdk_seen_at = now(), sdk_version = CASE
           WHEN apps.sdk_version ~ '^[0-9]{1,5}([.][0-9]{1,5}){2}$'
             AND string_to_array(apps.sdk_version, '.')::int[] > string_to_array(new.version, '.')::int[]
           THEN apps.sdk_version ELSE new.version END
         FROM unnest($1::int[], $2::text[]) AS new (id, version) WHERE apps.id = new.id`,
        [dirty.map(([id]) => id), dirty.map(([, { version }]) => version)],
      );
      const writtenAt = performance.now();
      for (const [id, { version }] of dirty) this.#byApp.set(id, { version, writtenAt, isDirty: false });
    } catch (error) {
      this.#log.warn({ err: error }, "SDK versions could not be written; they will be with the next init");
    }
  }
}

function isHigher(version: string, than: string): boolean {
  const [left, right] = [version.split(".").map(Number), than.split(".").map(Number)];
  const place = left.findIndex((part, index) => part !== right[index]);
  return place !== -1 && (left[place] ?? 0) > (right[place] ?? 0);
}
