/** The maximum number of entries per kind in the audit log; the counts are always complete. */
export const MOST_ENTRIES = 20;

/** Summarizes the entries added to and removed from a list. Null if it did not change. */
export function listChange<T>(before: readonly T[], after: readonly T[]): Record<string, unknown> | null {
  const [had, has] = [before, after].map((items) => new Set(items.map((item) => JSON.stringify(item)))) as [
    Set<string>,
    Set<string>,
  ];
  const added = after.filter((item) => !had.has(JSON.stringify(item)));
  const removed = before.filter((item) => !has.has(JSON.stringify(item)));
  if (added.length === 0 && removed.length === 0) return null;
  return {
    added: added.slice(0, MOST_ENTRIES),
    added_count: added.length,
    removed: removed.slice(0, MOST_ENTRIES),
    removed_count: removed.length,
  };
}

/** The fields of `after` that differ, with their new values. Null if none does. */
export function fieldChange<T extends object>(before: T, after: T): Partial<T> | null {
  const changed = Object.entries(after).filter(([field, value]) => before[field as keyof T] !== value);
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<T>);
}
