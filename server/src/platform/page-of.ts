import type { Pager } from "@millrace/contract";

/**
 * Page `p` of a list: `p` counts from 0, and a page past the end becomes the last one. `current_page` counts from 1.
 */
export function pagerOf(entries: number, p: number, perPage: number): Pager {
  const last = Math.max(1, Math.ceil(entries / perPage));
  return { current_page: Math.min(p + 1, last), entries_per_page: perPage, first_page: 1, last_page: last };
}

/** The number of entries before a page. */
export const entriesBefore = ({ current_page: page, entries_per_page: perPage }: Pager): number => (page - 1) * perPage;

/** One page of a list and its position. */
export function pageOf<T>(all: readonly T[], p: number, perPage: number): { page: T[]; pager: Pager } {
  const pager = pagerOf(all.length, p, perPage);
  const from = entriesBefore(pager);
  return { page: all.slice(from, from + perPage), pager };
}
