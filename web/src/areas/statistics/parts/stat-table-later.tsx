import { loadingText } from "@millrace/contract";
import { Suspense, lazy } from "react";
import { Panel } from "../../../ui/panel.tsx";
import { RowsSkeleton, TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { WhenSeen } from "../../../ui/when-seen.tsx";
import type { Scope } from "../scope.ts";
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

// Loaded after the figures that it explains.
const WhatChanged = lazy(async () => ({ default: (await import("./what-changed.tsx")).WhatChanged }));

export function WhatChangedLater({ scope }: { scope: Scope }) {
  return (
    <Suspense
      fallback={
        <Panel title="What changed" busy>
          <span className="visually-hidden">{loadingText("what changed")}</span>
          <RowsSkeleton rows={8} height={30} />
        </Panel>
      }
    >
      <WhatChanged scope={scope} />
    </Suspense>
  );
}
