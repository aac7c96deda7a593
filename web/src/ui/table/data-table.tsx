import { createColumnHelper, rowSortingFeature, tableFeatures, useTable } from "@tanstack/react-table";
import { type ReactNode, useMemo } from "react";
import classes from "./data-table.module.css";
import { HeadCell } from "./head-cell.tsx";

/** A column: what stands in its head, its cells and its total. */
export interface Column<Row, Order extends string = string> {
  id: string;
  head: string;
  cell: (row: Row) => ReactNode;
  /** The figure with all its digits, shown on hover. */
  exact?: (row: Row) => string;
  /** The share of the column's largest figure, from 0 to 1, drawn as a bar under the ranked column's figures. */
  share?: (row: Row) => number;
  numeric?: boolean;
  /** What the rows can be ordered by here; without it the head is no button. */
  order?: Order;
}

export interface Ordering<Order extends string> {
  by: Order;
  direction: "asc" | "desc";
}

export interface DataTableProps<Row, Order extends string> {
  /** Says what the table is to those who cannot see it. */
  caption: string;
  columns: readonly Column<Row, Order>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  total?: Row | undefined;
  /** Left out where the rows have one order only. */
  ordering?: Ordering<Order>;
  onOrder?: (ordering: Ordering<Order>) => void;
  /** Limits the height, so that head and total stay in sight. */
  maxHeight?: number;
}

const features = tableFeatures({ rowSortingFeature });

/** A table of figures: hairlines, sticky head, first column and total, order in the head. The rows arrive in order. */
export function DataTable<Row extends object, Order extends string>(props: DataTableProps<Row, Order>) {
  const { columns, rows, rowId, ordering, onOrder, total } = props;
  const defs = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return columns.map((column) =>
      // An accessor, since the table lets only columns with one be ordered; the order itself is made by who gives the rows.
      helper.accessor((row): unknown => row, {
        id: column.id,
        header: column.head,
        cell: ({ row }) => column.cell(row.original),
        enableSorting: column.order !== undefined,
        sortDescFirst: column.numeric === true,
      }),
    );
  }, [columns]);
  const sortedColumn = columns.find((column) => ordering !== undefined && column.order === ordering.by);
  const sorting = sortedColumn ? [{ id: sortedColumn.id, desc: ordering?.direction === "desc" }] : [];
  const table = useTable({
    features,
    columns: defs,
    data: rows,
    getRowId: rowId,
    manualSorting: true,
    enableMultiSort: false,
    enableSortingRemoval: false,
    state: { sorting },
    onSortingChange: (update) => {
      const next = (typeof update === "function" ? update(sorting) : update)[0];
      const by = columns.find((column) => column.id === next?.id)?.order;
      if (next && by !== undefined) onOrder?.({ by, direction: next.desc ? "desc" : "asc" });
    },
  });

  return (
    // Focusable, because a region that scrolls must scroll by keyboard too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
    <div className={classes.scroll} role="region" aria-label={props.caption} tabIndex={0} style={heightOf(props)}>
      <table className={classes.table}>
        <caption className="visually-hidden">{props.caption}</caption>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header, index) => (
                <HeadCell
                  key={header.id}
                  text={columns[index]?.head ?? ""}
                  numeric={columns[index]?.numeric === true}
                  sorted={header.column.getIsSorted()}
                  onToggle={header.column.getCanSort() ? () => header.column.toggleSorting() : undefined}
                />
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id}>
              {row.getAllCells().map((cell, index) => (
                <BodyCell key={cell.id} column={columns[index]} row={row.original} first={index === 0}>
                  <table.FlexRender cell={cell} />
                </BodyCell>
              ))}
            </tr>
          ))}
        </tbody>
        {total ? (
          <tfoot>
            <tr>
              {columns.map((column, index) => (
                <BodyCell key={column.id} column={{ ...column, share: undefined }} row={total} first={index === 0}>
                  {column.cell(total)}
                </BodyCell>
              ))}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </div>
  );
}

const heightOf = ({ maxHeight }: { maxHeight?: number }) => (maxHeight === undefined ? {} : { maxHeight });

interface BodyCellProps<Row> {
  column: (Omit<Column<Row>, "share"> & { share?: ((row: Row) => number) | undefined }) | undefined;
  row: Row;
  first: boolean;
  children: ReactNode;
}

function BodyCell<Row>({ column, row, first, children }: BodyCellProps<Row>) {
  const share = column?.share?.(row);
  const content = (
    <>
      {children}
      {share === undefined ? null : (
        <span className={classes.bar} style={{ width: `calc((100% - 24px) * ${share.toFixed(3)})` }} />
      )}
    </>
  );
  if (first) return <th scope="row">{content}</th>;
  return (
    <td data-numeric={column?.numeric === true ? "" : undefined} title={column?.exact?.(row)}>
      {content}
    </td>
  );
}
