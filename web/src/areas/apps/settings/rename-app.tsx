import { Button } from "@mantine/core";
import { type AppIdentity, renameApp } from "@millrace/contract";
import { useState } from "react";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useRenameApp } from "../api.ts";

/** A bundle id is fixed once the app runs anywhere. */
const mayChangeBundle = ({ in_dev, sdk_status }: AppIdentity): boolean =>
  in_dev === 1 && (sdk_status === "off" || sdk_status === "download");

/** The button next to an app's name that edits it. */
export function RenameApp({ app }: { app: AppIdentity }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Edit <span className="visually-hidden">the app's name</span>
      </Button>
      <Modal opened={open} onClose={() => setOpen(false)} title="Edit app">
        <RenameForm app={app} onClose={() => setOpen(false)} />
      </Modal>
    </>
  );
}

function RenameForm({ app, onClose }: { app: AppIdentity; onClose: () => void }) {
  const rename = useRenameApp();
  const { tell } = useNotify();
  const bundleIsFree = mayChangeBundle(app);
  const [opened] = useState(app);
  const form = useContractForm({
    schema: renameApp.body,
    initial: { uuid: app.uuid, app_name: app.name, app_bundle_id: app.bundle_id },
    send: ({ uuid, app_name: name, app_bundle_id: typed }) => {
      const bundle = typed?.trim() ?? "";
      const isNewBundle = bundleIsFree && bundle !== "" && bundle !== opened.bundle_id;
      // What was left as it is may have been changed by somebody else meanwhile.
      return rename.mutateAsync({
        uuid,
        app_name: name === opened.name ? null : name,
        app_bundle_id: isNewBundle ? bundle : null,
      });
    },
    onDone: ({ name, message }) => {
      tell(message ?? `The app is now called ${name}`);
      onClose();
    },
  });
  return (
    <Form {...form.props}>
      <TextField {...form.field("app_name")} label="App name" maxLength={100} autoComplete="off" data-autofocus />
      <TextField
        {...form.field("app_bundle_id")}
        label="Bundle ID"
        description={
          bundleIsFree
            ? "You can change it until the SDK runs. A moderator may have to check the app again before it gets ads."
            : "You can change it only while the app is in development and its SDK is off."
        }
        maxLength={200}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={!bundleIsFree}
      />
      <Submit {...form.submit} onCancel={onClose}>
        Save
      </Submit>
    </Form>
  );
}
