/** One page of a list: `p` counts from 0, and one past the end is the last. `current_page` counts from 1, as people do. */
export function pageOf<T>(
  all: readonly T[],
  p: number,
  perPage: number,
): { page: T[]; pager: { current_page: number; entries_per_page: number; first_page: number; last_page: number } } {
  const last = Math.max(1, Math.ceil(all.length / perPage));
  const current = Math.min(p + 1, last);
  return {
    page: all.slice((current - 1) * perPage, current * perPage),
    pager: { current_page: current, entries_per_page: perPage, first_page: 1, last_page: last },
  };
}
