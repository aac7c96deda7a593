/** Vendor ids in the order that `Consent.vendorIds` must have, each once. */
export function sortVendorIds(ids: Iterable<number>): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** Whether an ascending list has the id: a consent string may name a thousand, and every partner asks. */
export function hasVendor(ids: readonly number[], id: number): boolean {
  let low = 0;
  let high = ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = ids[middle] ?? 0;
    if (found === id) return true;
    if (found < id) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
