import type { Platform } from "@millrace/contract";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { asksGaming, isPhone } from "./add-rules.ts";
import classes from "./add.module.css";
import type { AddForm } from "./use-add-form.ts";

const KINDS = [
  { value: "0", label: "Non-game" },
  { value: "1", label: "Game" },
];

/** The app's audience and what its ads may do; the fields depend on the platform. */
export function FlagFields({ form, platform }: { form: AddForm; platform: Platform }) {
  return (
    <>
      {asksGaming(platform) ? (
        <SelectField
          name="is_gaming"
          label="Kind of app"
          options={KINDS}
          error={form.field("is_gaming").error}
          value={String(form.values.is_gaming ?? 0)}
          onChange={(value) => form.set({ is_gaming: Number(value) })}
        />
      ) : null}
      <fieldset className={classes.flags}>
        <legend>The app and its ads</legend>
        {isPhone(platform) ? (
          <>
            <CheckboxField {...form.field("kids")} label="The app is for children" />
            <CheckboxField {...form.field("mute")} label="Video ads start muted" />
          </>
        ) : null}
        <CheckboxField {...form.field("adult")} label="The app is for adults only" />
        <CheckboxField {...form.field("only_image")} label="Images only: no video, audio or scripts" />
      </fieldset>
    </>
  );
}
