import { Panel } from "../../../ui/panel.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { AppFinder } from "./app-finder.tsx";
import classes from "./form.module.css";
import type { CampaignForm } from "./use-campaign-form.ts";

/** The app, and the campaign's name. */
export function Advertised({ form }: { form: CampaignForm }) {
  return (
    <Panel title="What is advertised">
      <div className={classes.pair}>
        <AppFinder form={form} />
        <TextField
          {...form.field("name")}
          label="Campaign name"
          description="Only you and the platform see it."
          maxLength={100}
          autoComplete="off"
        />
      </div>
    </Panel>
  );
}
