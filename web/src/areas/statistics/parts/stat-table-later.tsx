import { loadingText } from "@millrace/contract";
import { later } from "../../../ui/later.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { WhenSeen } from "../../../ui/when-seen.tsx";
import type { StatTableProps } from "./stat-table.tsx";

const StatTable = later<StatTableProps>(async () => (await import("./stat-table.tsx")).StatTable);

/** The last block of a long page: its code and figures are loaded once it is near. */
export function StatTableLater(props: StatTableProps) {
  const skeleton = <StatTableSkeleton title={props.title} />;
  return (
    <WhenSeen fallback={skeleton}>
      <StatTable {...props} fallback={skeleton} />
    </WhenSeen>
  );
}

export function StatTableSkeleton({ title }: { title: string }) {
  return (
    <Panel title={title} busy>
      <span className="visually-hidden">{loadingText("statistics")}</span>
      <TableSkeleton rows={6} columns={8} />
    </Panel>
  );
}
