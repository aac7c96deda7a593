import { Button } from "@mantine/core";
import { TEXTS } from "@millrace/contract";
import { type ReactNode, useRef } from "react";
import { useUnsaved } from "../../../ui/form/unsaved.ts";
import { Panel } from "../../../ui/panel.tsx";
import { SkeletonBar } from "../../../ui/states/skeletons.tsx";
import { WorkButton } from "../../../ui/work-button.tsx";
import panels from "../parts/panels.module.css";
import classes from "./settings.module.css";
import type { Setting } from "./use-setting.ts";

interface SettingFormProps {
  title: string;
  /** Explains the setting. */
  about: string;
  /** The button's label: `Save floors`. */
  action: string;
  setting: Pick<Setting<unknown>, "dirty" | "state" | "message" | "save" | "undo">;
  children: ReactNode;
}

/** A group of settings with its own save button and status. */
export function SettingForm({ title, about, action, setting, children }: SettingFormProps) {
  const { dirty, state, message, save, undo } = setting;
  const buttons = useRef<HTMLDivElement>(null);
  useUnsaved(dirty);
  return (
    <Panel title={title} aside={<State dirty={dirty} state={state} />}>
      <p className={panels.about}>{about}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (dirty) void save();
        }}
      >
        <div className={classes.fields}>{children}</div>
        <div ref={buttons} className={classes.buttons}>
          <WorkButton type="submit" working={state === "saving"} idle={!dirty}>
            {action}
          </WorkButton>
          {dirty && state !== "saving" ? (
            <Button
              variant="default"
              onClick={() => {
                undo();
                // The pressed button disappears; the one beside it stays.
                buttons.current?.querySelector("button")?.focus();
              }}
            >
              {message === TEXTS.stale ? "Reload" : "Undo changes"}
            </Button>
          ) : null}
        </div>
        <p className={classes.refused} role="alert">
          {message}
        </p>
      </form>
    </Panel>
  );
}

/** Stands in for settings while they load. */
export const SettingsSkeleton = () => (
  <div className={classes.skeleton}>
    <SkeletonBar width="280px" height="20px" />
    <SkeletonBar height="320px" />
  </div>
);

function State({ dirty, state }: Pick<Setting<unknown>, "dirty" | "state">) {
  const words = state === "saving" ? "Saving" : dirty ? "Not saved yet" : state === "saved" ? "Saved" : "";
  return (
    <span
      className={classes.state}
      data-state={words === "Saved" ? "saved" : dirty ? "dirty" : undefined}
      role="status"
    >
      {words}
    </span>
  );
}
