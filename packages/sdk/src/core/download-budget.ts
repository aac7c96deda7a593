/** The bytes of ads that a session may still download. */
export interface DownloadBudget {
  /** Takes bytes from the budget; false, and takes none, if too few are left. */
  take(bytes: number): boolean;
  isUsedUp(): boolean;
  /** A new session has begun. */
  refill(): void;
}

/** Without a number of megabytes there is no limit. */
export function downloadBudget(megabytes: number | undefined): DownloadBudget {
  const full = megabytes === undefined ? Infinity : megabytes * 1_000_000;
  let left = full;
  return {
    take(bytes) {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    },
    isUsedUp: () => left <= 0,
    refill() {
      left = full;
    },
  };
}
