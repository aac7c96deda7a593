import { loadingText } from "@millrace/contract";
import type { ReactNode } from "react";
import { later } from "../../../ui/later.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { WhenSeen } from "../../../ui/when-seen.tsx";
import type { StatTableProps } from "./stat-table.tsx";

const StatTable = later<StatTableProps>(async () => (await import("./stat-table.tsx")).StatTable);

export const StatTableLater = (props: StatTableProps) => (
  <TableWhenSeen title={props.title} draw={(fallback) => <StatTable {...props} fallback={fallback} />} />
);

interface TableWhenSeenProps {
  title: string;
  draw: (fallback: ReactNode) => ReactNode;
}

/** The last block of a long page: its code and figures are loaded once it is near. */
export function TableWhenSeen({ title, draw }: TableWhenSeenProps) {
  const skeleton = (
    <Panel title={title} busy>
      <span className="visually-hidden">{loadingText("statistics")}</span>
      <TableSkeleton rows={6} columns={8} />
    </Panel>
  );
  return <WhenSeen fallback={skeleton}>{draw(skeleton)}</WhenSeen>;
}
