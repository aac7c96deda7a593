import { PLATFORMS } from "@millrace/contract";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { developmentFaults, needsBundle, platformOf, platformOptions } from "./add-rules.ts";
import classes from "./add.module.css";
import { BundleField } from "./bundle-field.tsx";
import { FlagFields } from "./flag-fields.tsx";
import { useAddForm } from "./use-add-form.ts";

/** An app that is not in a store yet, or in a store that cannot be searched. */
export function DevelopmentTab({ onAdded }: { onAdded: () => void }) {
  const form = useAddForm({ initial: { dev: 1, platform: "ios" }, check: developmentFaults, onAdded });
  const platform = platformOf(form.values.platform);
  const hasBundle = needsBundle(platform);
  return (
    <Form {...form.props}>
      <p className={classes.about}>
        For apps that are not published yet, or are in a market other than Google Play, the App Store, the Amazon
        Appstore and the Roku Channel Store.
      </p>
      <SelectField {...form.field("platform")} label="Platform" options={platformOptions(PLATFORMS)} />
      {hasBundle ? (
        <>
          <BundleField {...form.field("bundle_id")} />
          <TextField
            {...form.field("name")}
            label="App name"
            description="Optional. The bundle ID is used until you rename the app."
            autoComplete="off"
            maxLength={100}
          />
        </>
      ) : (
        <TextField {...form.field("name")} label="Name" autoComplete="off" maxLength={100} />
      )}
      <FlagFields form={form} platform={platform} />
      <Submit {...form.submit}>Add app</Submit>
    </Form>
  );
}
