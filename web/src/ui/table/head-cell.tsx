import classes from "./data-table.module.css";

interface HeadCellProps {
  text: string;
  numeric: boolean;
  sorted: false | "asc" | "desc";
  onToggle: (() => void) | undefined;
}

const ARIA_SORT = { asc: "ascending", desc: "descending" } as const;

/** A column's head; a button where the rows can be ordered by it. */
export function HeadCell({ text, numeric, sorted, onToggle }: HeadCellProps) {
  return (
    <th
      scope="col"
      data-numeric={numeric ? "" : undefined}
      aria-sort={sorted === false ? undefined : ARIA_SORT[sorted]}
    >
      {onToggle ? (
        <button
          type="button"
          className={classes.order}
          data-sorted={sorted === false ? undefined : ""}
          onClick={onToggle}
        >
          {text}
          <span aria-hidden="true" className={classes.arrow}>
            {sorted === "asc" ? "↑" : sorted === "desc" ? "↓" : "↕"}
          </span>
        </button>
      ) : (
        text
      )}
    </th>
  );
}
