import { Button } from "@mantine/core";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { asksBundleByHand, manualFaults, platformOf, platformOptions, platformsOf } from "./add-rules.ts";
import classes from "./add.module.css";
import { BundleField } from "./bundle-field.tsx";
import { FlagFields } from "./flag-fields.tsx";
import { useAddForm } from "./use-add-form.ts";

interface ManualFormProps {
  url: string;
  onBack: () => void;
  onAdded: () => void;
}

/** A published app whose store cannot be reached: the user enters the store's data. */
export function ManualForm({ url, onBack, onAdded }: ManualFormProps) {
  const platforms = platformsOf(url);
  const [first = "android"] = platforms;
  const form = useAddForm({ initial: { manual: 1, url, platform: first }, check: manualFaults, onAdded });
  const platform = platformOf(form.values.platform);
  return (
    <Form {...form.props}>
      <p className={classes.warning} role="status">
        The store cannot be reached right now. Enter the app manually, or search again later.
      </p>
      <p className={classes.asked}>{url}</p>
      <SelectField {...form.field("platform")} label="Platform" options={platformOptions(platforms)} />
      <TextField {...form.field("name")} label="App name" autoComplete="off" maxLength={100} takesFocus />
      {asksBundleByHand(platform) ? <BundleField {...form.field("bundle_id")} /> : null}
      <FlagFields form={form} platform={platform} />
      <Submit
        {...form.submit}
        beside={
          <Button variant="default" onClick={onBack}>
            Search again
          </Button>
        }
      >
        Add app
      </Submit>
    </Form>
  );
}
