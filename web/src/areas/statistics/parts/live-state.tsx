import { LiveMark } from "../../../ui/states/live-mark.tsx";
import { usePart } from "../api.ts";
import type { Scope } from "../scope.ts";

/** Shows how fresh the key figures are. Hidden for past days, which do not change. */
export function LiveState({ scope }: { scope: Scope }) {
  const totals = usePart("totals", scope, { pace: "live" });
  if (!scope.live) return null;
  return <LiveMark updatedAtMs={totals.dataUpdatedAt} failing={totals.isError} />;
}
