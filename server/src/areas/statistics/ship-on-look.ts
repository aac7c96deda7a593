/** How long rows wait while nobody looks: each insert costs the store a part in every table and rollup, however few its rows. */
export const UNWATCHED_MS = 10_000;
/** A page polls every three seconds, so an impression is on it within five seconds whenever its polls and shipments fall. */
const APART_MS = 1750;
/** The longest that a look waits for the rows that it ships. */
const LONGEST_WAIT_MS = 1000;

interface ShippedJournal {
  flush(timeoutMs: number): Promise<void>;
  backlog(): { segments: number };
}

/**
 * Ships the journal when somebody looks at numbers that may still change. The returned function resolves once the rows
 * appended so far can be read, or after a moment; looks in quick succession share one shipment, so the parts of a page
 * agree.
 */
export function shipOnLook(journal: ShippedJournal): () => Promise<void> {
  let shippedAt = Number.NEGATIVE_INFINITY;
  let shipment = Promise.resolve();

  async function ship(): Promise<void> {
    // A store that is behind takes one large block sooner than many small ones.
    if (journal.backlog().segments > 0) return;
    // If the store takes no more, the numbers are shown as they are.
    await journal.flush(LONGEST_WAIT_MS).catch(() => undefined);
  }
  return () => {
    if (performance.now() - shippedAt < APART_MS) return shipment;
    shippedAt = performance.now();
    shipment = ship();
    return shipment;
  };
}
