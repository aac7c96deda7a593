import { type Column, DataTable, type Ordering } from "../../../ui/table/data-table.tsx";

interface ViewTableProps<Row, Order extends string> {
  /** What the rows are: `date`, `country`. */
  view: string;
  /** Its name on screen. */
  label: string;
  /** The rows shown before the others are unfolded: the newest days, or the largest of the others. */
  first: number;
  /** The rows' name, in the plural. */
  names: string;
  columns: readonly Column<Row, Order>[];
  rows: readonly Row[];
  total: Row;
  ordering: Ordering<Order>;
  onOrder: (ordering: Ordering<Order>) => void;
}

/** Figures by a view's rows, with their total. */
export function ViewTable<Row extends { id: string }, Order extends string>(props: ViewTableProps<Row, Order>) {
  const { view, label, first, names, ordering, ...table } = props;
  // Days from the newest are followed by earlier ones; in any other order the rest is just more.
  const isNewestFirst = view === "date" && ordering.by === "name" && ordering.direction === "desc";
  return (
    <DataTable
      // Another view begins folded again.
      key={view}
      cards
      fold={{
        rows: first,
        more: (hidden) => `${hidden} ${isNewestFirst ? "earlier" : "more"} ${names}`,
        fewer: "Show fewer",
      }}
      caption={`Statistics by ${label.toLowerCase()}`}
      rowId={(row) => row.id}
      ordering={ordering}
      {...table}
    />
  );
}
