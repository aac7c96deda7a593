/** Where a list is: pages are counted from 1. */
interface ListPlace {
  current_page: number;
  entries_per_page: number;
  last_page: number;
}

/** How many of a list are in sight: `3 in all`, `51 to 100`; nothing of an empty one. */
export function countText({ current_page, entries_per_page, last_page }: ListPlace, shown: number): string | undefined {
  if (shown === 0) return undefined;
  if (last_page <= 1) return `${shown} in total`;
  const first = (current_page - 1) * entries_per_page + 1;
  return `${first} to ${first + shown - 1}`;
}
