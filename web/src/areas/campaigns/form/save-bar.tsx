import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type Reload, ReloadIfStale } from "../../../shared/form/reload-button.tsx";
import type { PATHS } from "../../../shared/paths.ts";
import { WorkButton } from "../../../ui/work-button.tsx";
import classes from "./form.module.css";

interface SaveBarProps {
  submit: { pending: boolean; message: string | null };
  /** The list that "Cancel" returns to. */
  list: typeof PATHS.campaigns | typeof PATHS.inhouse;
  /** Of a saved campaign. */
  onReload?: Reload | undefined;
}

/** Saves or leaves a campaign's form, and says why it was not saved. */
export const SaveBar = ({ submit: { pending, message }, list, onReload }: SaveBarProps) => (
  <div className={classes.bar}>
    <WorkButton type="submit" working={pending}>
      Save campaign
    </WorkButton>
    <Button
      variant="default"
      renderRoot={(props) => <Link {...props} to={list} search={{}} activeOptions={{ exact: true }} />}
    >
      Cancel
    </Button>
    <p className={classes.message} role="alert">
      {message}
    </p>
    <ReloadIfStale message={message} onReload={onReload} />
  </div>
);
