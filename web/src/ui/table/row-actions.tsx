import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { Column } from "./data-table.tsx";
import classes from "./row-actions.module.css";

/** The last column of a table, with the actions on each row. */
export const actionsColumn = <Row extends object>(actions: (row: Row) => ReactNode): Column<Row> => ({
  id: "actions",
  head: "Actions",
  numeric: true,
  cell: (row) => (
    <span className={classes.actions} data-row-actions="">
      {actions(row)}
    </span>
  ),
});

interface RowActionProps {
  label: string;
  /** What the action is on, for screen readers: `Edit` of `Home banner`. */
  of: string;
  primary?: boolean;
  /** Why it cannot be done, as its tooltip; left out if it can. */
  unless?: string | undefined;
  onClick: () => void;
}

export const RowAction = ({ label, of: target, primary = false, unless: disabledReason, onClick }: RowActionProps) => (
  <Button
    variant={primary ? "filled" : "default"}
    size="xs"
    aria-label={`${label} ${target}`}
    disabled={disabledReason !== undefined}
    title={disabledReason}
    onClick={onClick}
  >
    {label}
  </Button>
);
