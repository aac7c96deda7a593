import { Fragment, type ReactNode, useState } from "react";
import { ChevronIcon } from "../icons.tsx";
import { usePrinting } from "../theme/printing.ts";
import classes from "./data-table.module.css";

/** A column: its head, cells and total. */
export interface Column<Row, Order extends string = string> {
  id: string;
  head: string;
  cell: (row: Row) => ReactNode;
  /** The figure with all digits, shown on hover. */
  exact?: (row: Row) => string;
  /** The share of the column's largest figure, from 0 to 1, drawn as a bar under the figures of the ranked column. */
  share?: (row: Row) => number;
  numeric?: boolean;
  /** Its values never break, such as dates. */
  whole?: boolean;
  /** On a phone, a row is a card: these figures stand beside its name, the others below. */
  leads?: boolean;
  /** The order that the head button selects; without it, the head is not a button. */
  order?: Order;
}

export interface Ordering<Order extends string> {
  by: Order;
  direction: "asc" | "desc";
}

export interface DataTableProps<Row, Order extends string> {
  /** Describes the table to screen readers. */
  caption: string;
  columns: readonly Column<Row, Order>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  total?: Row | undefined;
  /** Left out if the rows have only one order. */
  ordering?: Ordering<Order>;
  onOrder?: (ordering: Ordering<Order>) => void;
  /** Limits the height, so that the head stays visible. Not for figures, whose newest day would scroll out of sight. */
  maxHeight?: number;
  /** For tables of figures: long names are cut, and rows become cards where the table is narrow. */
  cards?: boolean;
  /** Shows only the first rows until a button shows the others. */
  fold?: Fold | undefined;
  /** What is shown below a row across all columns, such as what a figure is made of; null for nothing. */
  below?: (row: Row) => ReactNode;
}

interface Fold {
  rows: number;
  /** The button's text: `26 earlier days`. */
  more: (hidden: number) => string;
  /** The button's text once all rows are shown. */
  fewer: string;
}

/** Folding away fewer rows than this would gain nothing. */
const FEWEST_FOLDED = 3;

/**
 * A table with a sticky first column and a total. The head selects the order; the rows must already be ordered.
 */
export function DataTable<Row extends object, Order extends string>(props: DataTableProps<Row, Order>) {
  const { columns, rows, rowId, ordering, onOrder, total, cards = false, fold, below } = props;
  const [open, setOpen] = useState(false);
  const printing = usePrinting();
  const folded = fold !== undefined && rows.length >= fold.rows + FEWEST_FOLDED;
  // On paper, nothing unfolds.
  const shown = folded && !open && !printing ? rows.slice(0, fold.rows) : rows;
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must scroll by keyboard too */}
      <div className={classes.scroll} role="region" aria-label={props.caption} tabIndex={0} style={heightOf(props)}>
        <table className={classes.table} data-cards={cards ? "" : undefined}>
          <caption className="visually-hidden">{props.caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => {
                const next = nextOrdering(column, ordering);
                return (
                  <HeadCell
                    key={column.id}
                    text={column.head}
                    numeric={column.numeric === true}
                    sorted={isOrdered(column, ordering) ? ordering.direction : false}
                    onToggle={next && onOrder ? () => onOrder(next) : undefined}
                  />
                );
              })}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Fragment key={rowId(row)}>
                <tr>
                  {columns.map((column, index) => (
                    <BodyCell key={column.id} column={column} row={row} first={index === 0} />
                  ))}
                </tr>
                <Below columns={columns.length}>{below?.(row)}</Below>
              </Fragment>
            ))}
          </tbody>
          {total ? (
            <tfoot>
              <tr>
                {columns.map((column, index) => (
                  <BodyCell key={column.id} column={{ ...column, share: undefined }} row={total} first={index === 0} />
                ))}
              </tr>
            </tfoot>
          ) : null}
        </table>
      </div>
      {folded ? (
        <button type="button" className={classes.more} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? fold.fewer : fold.more(rows.length - fold.rows)}
          <ChevronIcon />
        </button>
      ) : null}
    </>
  );
}

function Below({ columns, children }: { columns: number; children: ReactNode }) {
  if (children === null || children === undefined) return null;
  return (
    <tr className={classes.below}>
      <td colSpan={columns}>{children}</td>
    </tr>
  );
}

type Orderable<Order extends string> = Pick<Column<never, Order>, "order" | "numeric">;

function isOrdered<Order extends string>(
  { order }: Orderable<Order>,
  ordering: Ordering<Order> | undefined,
): ordering is Ordering<Order> {
  return ordering !== undefined && order === ordering.by;
}

/** The ordering that a click on the head selects: first figures descending and names ascending, then reversed. */
function nextOrdering<Order extends string>(
  column: Orderable<Order>,
  ordering: Ordering<Order> | undefined,
): Ordering<Order> | undefined {
  const { order: by, numeric = false } = column;
  if (by === undefined) return undefined;
  const before = isOrdered(column, ordering) ? ordering.direction : numeric ? "asc" : "desc";
  return { by, direction: before === "asc" ? "desc" : "asc" };
}

const heightOf = ({ maxHeight }: { maxHeight?: number }) => (maxHeight === undefined ? {} : { maxHeight });

interface BodyCellProps<Row, Order extends string> {
  column: Omit<Column<Row, Order>, "share"> & { share?: Column<Row, Order>["share"] | undefined };
  row: Row;
  first: boolean;
}

function BodyCell<Row, Order extends string>({ column, row, first }: BodyCellProps<Row, Order>) {
  const share = column.share?.(row);
  const content = (
    <>
      {column.cell(row)}
      {share === undefined ? null : (
        <span className={classes.bar} style={{ width: `calc((100% - 24px) * ${share.toFixed(3)})` }} />
      )}
    </>
  );
  if (first) {
    return (
      <th scope="row" data-whole={column.whole === true ? "" : undefined} title={column.exact?.(row)}>
        <div className={classes.name}>{content}</div>
      </th>
    );
  }
  return (
    <td
      data-numeric={column.numeric === true ? "" : undefined}
      data-whole={column.whole === true ? "" : undefined}
      data-leads={column.leads === true ? "" : undefined}
      data-head={column.head}
      title={column.exact?.(row)}
    >
      {content}
    </td>
  );
}

interface HeadCellProps {
  text: string;
  numeric: boolean;
  sorted: false | "asc" | "desc";
  onToggle: (() => void) | undefined;
}

const ARIA_SORT = { asc: "ascending", desc: "descending" } as const;

/** A column's head; a button if the rows can be ordered by it. */
function HeadCell({ text, numeric, sorted, onToggle }: HeadCellProps) {
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
