import { loadingText } from "@millrace/contract";
import { Suspense, lazy } from "react";
import { Panel } from "../../../ui/panel.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import type { StatTableProps } from "./stat-table.tsx";

// The last block of a long page, loaded after the visible ones.
const StatTable = lazy(async () => ({ default: (await import("./stat-table.tsx")).StatTable }));

export function StatTableLater(props: StatTableProps) {
  return (
    <Suspense
      fallback={
        <Panel title={props.title} busy>
          <span className="visually-hidden">{loadingText("statistics")}</span>
          <TableSkeleton rows={10} columns={8} />
        </Panel>
      }
    >
      <StatTable {...props} />
    </Suspense>
  );
}
