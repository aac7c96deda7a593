import type { ReactNode } from "react";
import { Panel } from "../../ui/panel.tsx";
import { LiveMark } from "../../ui/states/live-mark.tsx";
import classes from "./first-steps.module.css";

interface StepsPanelProps {
  done: number;
  /** Of the steps that count. */
  of: number;
  query: { dataUpdatedAt: number; isError: boolean };
  /** The items of the list. */
  steps: ReactNode;
  children?: ReactNode;
}

/** The frame of a list of first steps: how many are done, and that they are watched. */
export const StepsPanel = ({ done, of, query, steps, children }: StepsPanelProps) => (
  <Panel
    title="First steps"
    aside={
      <span className={classes.aside}>
        <span role="status">
          {done} of {of} done
        </span>
        <LiveMark updatedAtMs={query.dataUpdatedAt} failing={query.isError} />
      </span>
    }
  >
    <ol className={classes.steps}>{steps}</ol>
    {children}
  </Panel>
);
