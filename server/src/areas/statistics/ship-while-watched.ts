/** Rows wait so long while nobody looks: each insert costs the store a part in every table and rollup, however few its rows. */
export const UNWATCHED_MS = 10_000;
/** An impression can be seen within two seconds while somebody looks. */
const WATCHED_EVERY_MS = 1250;
/** A page asks again every three seconds. */
const LOOKED_MS = 8000;
/** The first look waits so long for what has gathered. */
const FIRST_LOOK_MS = 1000;

interface ShippedJournal {
  flush(timeoutMs: number): Promise<void>;
  backlog(): { segments: number };
}

export interface Watching {
  /** Somebody reads what may still change. Resolves once the rows that had gathered can be read, or after a moment. */
  look(): Promise<void>;
  stop(): void;
}

/** Ships the journal often while somebody looks at what may still change, and leaves it to itself otherwise. */
export function shipWhileWatched(journal: ShippedJournal): Watching {
  let lookedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  /** All parts of a page wait for the same rows, so that their sums agree. */
  let first = Promise.resolve();

  async function ship(): Promise<void> {
    // A store that is behind takes one large block sooner than many small ones.
    if (journal.backlog().segments > 0) return;
    // Numbers come as they are where the store does not take more.
    await journal.flush(FIRST_LOOK_MS).catch(() => undefined);
  }
  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }
  return {
    look() {
      lookedAt = performance.now();
      if (timer) return first;
      timer = setInterval(() => {
        if (performance.now() - lookedAt > LOOKED_MS) stop();
        else void ship();
      }, WATCHED_EVERY_MS).unref();
      first = ship();
      return first;
    },
    stop,
  };
}
