import classes from "./pager.module.css";
import { pagesShown } from "./pages-shown.ts";

interface PagerProps {
  /** Counted from 0. */
  current: number;
  count: number;
  marginPages: number;
  rangePages: number;
  onPage: (page: number) => void;
}

/** Page links with previous and next. Hidden for a single page; choosing the current page does nothing. */
export function Pager({ current, count, marginPages, rangePages, onPage }: PagerProps) {
  if (count <= 1) return null;
  const go = (page: number) => {
    if (page !== current && page >= 0 && page < count) onPage(page);
  };
  return (
    // A button that is disabled when it is pressed would lose the focus.
    <nav className={classes.pager} aria-label="Pages">
      <button type="button" aria-disabled={current === 0} onClick={() => go(current - 1)}>
        Previous
      </button>
      {pagesShown(current, count, marginPages, rangePages).map((item, index, items) =>
        item === "gap" ? (
          <span key={`gap after ${items[index - 1]}`} aria-hidden="true">
            …
          </span>
        ) : (
          <button
            key={item}
            type="button"
            aria-label={`Page ${item + 1}`}
            aria-current={item === current ? "page" : undefined}
            onClick={() => go(item)}
          >
            {item + 1}
          </button>
        ),
      )}
      <button type="button" aria-disabled={current === count - 1} onClick={() => go(current + 1)}>
        Next
      </button>
    </nav>
  );
}
