/** A page's number, counted from 0, or a gap between pages. */
export type PagerItem = number | "gap";

/**
 * The pages that a pager shows: `margin` at each end, `range` around the current one, and gaps between. A gap never
 * replaces a single page, which needs no more room.
 */
export function pagesShown(current: number, count: number, margin: number, range: number): PagerItem[] {
  const before = Math.floor((range - 1) / 2);
  const start = Math.min(Math.max(0, current - before), Math.max(0, count - range));
  const items: PagerItem[] = [];
  for (let page = 0; page < count; page++) {
    if (page < margin || page >= count - margin || page === current || (page >= start && page < start + range)) {
      items.push(page);
    } else if (items.at(-1) !== "gap") {
      items.push("gap");
    }
  }
  return items.map((item, index) => (item === "gap" ? onlyPage(items, index) : item));
}

function onlyPage(items: PagerItem[], index: number): PagerItem {
  const [left, right] = [items[index - 1], items[index + 1]];
  return typeof left === "number" && typeof right === "number" && right - left === 2 ? left + 1 : "gap";
}
