import { loadingText } from "@millrace/contract";
import { Suspense, lazy } from "react";
import { Panel } from "../../../ui/panel.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { WhenSeen } from "../../../ui/when-seen.tsx";
import type { StatTableProps } from "./stat-table.tsx";

// The last block of a long page: its code and figures are loaded once it is near.
const StatTable = lazy(async () => ({ default: (await import("./stat-table.tsx")).StatTable }));

export function StatTableLater(props: StatTableProps) {
  const skeleton = (
    <Panel title={props.title} busy>
      <span className="visually-hidden">{loadingText("statistics")}</span>
      <TableSkeleton rows={6} columns={8} />
    </Panel>
  );
  return (
    <WhenSeen fallback={skeleton}>
      <Suspense fallback={skeleton}>
        <StatTable {...props} />
      </Suspense>
    </WhenSeen>
  );
}
