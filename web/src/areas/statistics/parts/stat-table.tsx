import {
  type StatTable as Table,
  type TableFigure,
  TABLE_FIGURES,
  VIEWS,
  type View,
  loadingText,
} from "@millrace/contract";
import { formatCount } from "@millrace/units";
import { useMemo } from "react";
import { type StatsAddress, tableOrder } from "../../../shared/filters/address.ts";
import { HelpLink } from "../../../shared/help-link.tsx";
import { ChoiceFilter } from "../../../ui/fields/choice-filter.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import type { Ordering } from "../../../ui/table/data-table.tsx";
import { usePart } from "../api.ts";
import { METRIC_WORDS } from "../metric-words.ts";
import { comparedRows } from "../../../shared/filters/compared-period.ts";
import type { Scope } from "../scope.ts";
import { VIEW_LABELS, statColumns } from "../stat-columns.tsx";
import { useColumnChoice } from "../use-column-choice.ts";
import { Downloads } from "./downloads.tsx";
import { NothingCounted } from "./nothing-counted.tsx";
import classes from "./parts.module.css";
import { ViewTable } from "./view-table.tsx";

/** The newest days, or the largest of the others, are shown first. */
const FIRST_ROWS = { date: 5, country: 8, format: 8, provider: 8, zone: 8 } as const satisfies Record<View, number>;
const NAMES = {
  date: "days",
  country: "countries",
  format: "formats",
  provider: "providers",
  zone: "zones",
} as const satisfies Record<View, string>;

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
            onChoose={(next) => onChange({ view: next, ...tableOrder(next) })}
          />
          <HelpLink to="metrics">What the figures mean</HelpLink>
          <ColumnChoice chosen={figures} onChoose={choose} />
          <Downloads scope={scope} table={{ view, order, order_type }} figures={figures} />
        </div>
      }
      query={table}
      loading={loadingText("statistics")}
      skeleton={<TableSkeleton rows={6} columns={figures.length + 1} />}
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
  const { view, stats, total, requests_sent: sent, compared_until: until } = table;
  const columns = useMemo(() => {
    const against = comparedRows(scope.filter, until);
    return statColumns({ table: { view, stats, total }, scope, figures, by: ordering.by, against });
  }, [view, stats, total, scope, figures, ordering.by, until]);
  return (
    <>
      <ViewTable
        view={view}
        label={VIEW_LABELS[view]}
        first={FIRST_ROWS[view]}
        names={NAMES[view]}
        columns={columns}
        rows={stats}
        total={total}
        ordering={ordering}
        onOrder={onOrder}
      />
      {sent === null || sent === total.requests ? null : (
        <p className={classes.tableNote}>
          {`A request is sent to several providers, so the rows count ${formatCount(sent)} requests sent, and the total counts each of the ${formatCount(total.requests)} once.`}
        </p>
      )}
    </>
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
