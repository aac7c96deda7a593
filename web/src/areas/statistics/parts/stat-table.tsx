import { type StatTable as Table, type TableFigure, TABLE_FIGURES, VIEWS, loadingText } from "@millrace/contract";
import { useMemo } from "react";
import type { StatsAddress } from "../../../shared/filters/address.ts";
import { ChoiceFilter } from "../../../ui/fields/choice-filter.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Ordering, DataTable } from "../../../ui/table/data-table.tsx";
import { usePart } from "../api.ts";
import { METRIC_WORDS } from "../metric-words.ts";
import type { Scope } from "../scope.ts";
import { VIEW_LABELS, statColumns } from "../stat-columns.tsx";
import { useColumnChoice } from "../use-column-choice.ts";
import { Downloads } from "./downloads.tsx";
import { NothingCounted } from "./nothing-counted.tsx";
import classes from "./parts.module.css";

const MAX_HEIGHT = 620;

type Order = StatsAddress["order"];

export interface StatTableProps {
  scope: Scope;
  title: string;
  address: Pick<StatsAddress, "view" | "order" | "order_type">;
  onChange: (change: Partial<Pick<StatsAddress, "view" | "order" | "order_type">>) => void;
}

/** All figures by date, country, format, provider or zone. */
export function StatTable({ scope, title, address, onChange }: StatTableProps) {
  const { view, order, order_type } = address;
  const table = usePart("stats", scope, { view, order, order_type });
  const [figures, choose] = useColumnChoice();
  return (
    <LoadedBlock
      title={title}
      aside={
        <div className={classes.tableAside}>
          <Segments
            label="Rows by"
            options={VIEWS.map((id) => ({ id, label: VIEW_LABELS[id] }))}
            chosen={view}
            onChoose={(next) => onChange({ view: next })}
          />
          <ColumnChoice chosen={figures} onChoose={choose} />
          <Downloads scope={scope} asked={{ view, order, order_type }} figures={figures} />
        </div>
      }
      query={table}
      loading={loadingText("statistics")}
      skeleton={<TableSkeleton rows={10} columns={figures.length + 1} />}
      isEmpty={(data) => data.stats.length === 0}
      empty={<NothingCounted what="statistics" />}
    >
      {(data) => (
        <Rows
          table={data}
          scope={scope}
          figures={figures}
          ordering={{ by: order, direction: order_type }}
          onOrder={({ by, direction }) => onChange({ order: by, order_type: direction })}
        />
      )}
    </LoadedBlock>
  );
}

interface RowsProps {
  table: Table;
  scope: Scope;
  figures: readonly TableFigure[];
  ordering: Ordering<Order>;
  onOrder: (ordering: Ordering<Order>) => void;
}

function Rows({ table, scope, figures, ordering, onOrder }: RowsProps) {
  const { view, stats, total } = table;
  const columns = useMemo(
    () => statColumns({ table: { view, stats, total }, figures, by: ordering.by, scope }),
    [view, stats, total, figures, ordering.by, scope],
  );
  return (
    <DataTable
      caption={`Statistics by ${VIEW_LABELS[view].toLowerCase()}`}
      columns={columns}
      rows={stats}
      rowId={(row) => row.id}
      total={total}
      ordering={ordering}
      onOrder={onOrder}
      maxHeight={MAX_HEIGHT}
    />
  );
}

const OPTIONS = Object.fromEntries(TABLE_FIGURES.map((id) => [id, METRIC_WORDS[id].label]));

interface ColumnChoiceProps {
  chosen: readonly TableFigure[];
  onChoose: (ids: readonly string[]) => void;
}

/** Selects the columns of the table; removing the last one restores all. */
function ColumnChoice({ chosen, onChoose }: ColumnChoiceProps) {
  const all = chosen.length === TABLE_FIGURES.length;
  return (
    <ChoiceFilter
      what="columns"
      text={all ? "All columns" : `${chosen.length} of ${TABLE_FIGURES.length} columns`}
      options={OPTIONS}
      inOrder
      quiet
      chosen={chosen}
      onChange={onChoose}
    />
  );
}
