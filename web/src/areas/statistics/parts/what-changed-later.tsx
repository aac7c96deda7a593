import { loadingText } from "@millrace/contract";
import { Suspense, lazy } from "react";
import { Panel } from "../../../ui/panel.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import type { Scope } from "../scope.ts";

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
