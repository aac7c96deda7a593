import { loadingText } from "@millrace/contract";
import { Panel } from "../../ui/panel.tsx";
import { RowsSkeleton } from "../../ui/states/skeletons.tsx";

/** Takes the place of the first steps while they load, so that the figures below them do not jump. */
export const FirstStepsSkeleton = () => (
  <Panel title="First steps" busy>
    <span className="visually-hidden">{loadingText("first steps")}</span>
    <RowsSkeleton rows={6} height={64} />
  </Panel>
);
