import { type Manager, addManager, editManager } from "@millrace/contract";
import { ReloadIfStale } from "../../../../shared/form/reload-button.tsx";
import { useContractForm } from "../../../../shared/form/use-contract-form.ts";
import { CheckboxField } from "../../../../ui/form/checkbox-field.tsx";
import { Form, Submit } from "../../../../ui/form/form.tsx";
import { TextField } from "../../../../ui/form/text-field.tsx";
import { useNotify } from "../../../../ui/notify/notify.tsx";
import { useAddManager, useEditManager } from "../../profile/api.ts";
import { AppsField } from "./apps-field.tsx";
import type { EditProps } from "./people-panel.tsx";

/** Invites a manager by mail; the link in it lets them choose a password. */
export function AddManager({ onDone }: { onDone: () => void }) {
  const { tell } = useNotify();
  const add = useAddManager();
  const form = useContractForm({
    schema: addManager.body,
    initial: { email: "", name: "", is_super_manager: false, app_ids: null },
    send: (body) => add.mutateAsync(body),
    onDone: (_, { email }) => {
      tell(`An invitation was sent to ${email}`);
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <TextField {...form.field("email")} label="Email" type="email" autoComplete="off" data-autofocus />
      <TextField {...form.field("name")} label="Name" autoComplete="off" />
      <AppsField {...form.nullable("app_ids")} />
      <CheckboxField {...form.field("is_super_manager")} label="May add and remove managers" />
      <Submit {...form.submit}>Add manager</Submit>
    </Form>
  );
}

/** A manager's name and apps, and the right to add managers. */
export function EditManager({ person: manager, onDone, onReload }: EditProps<Manager>) {
  const edit = useEditManager();
  const form = useContractForm({
    schema: editManager.body,
    initial: { name: manager.name, is_super_manager: manager.is_super_manager, app_ids: manager.app_ids },
    send: (change) => edit.mutateAsync({ id: manager.uuid, revision: manager.revision, ...change }),
    onDone,
  });
  return (
    <Form {...form.props}>
      <TextField {...form.field("name")} label="Name" autoComplete="off" data-autofocus />
      <AppsField {...form.nullable("app_ids")} />
      <CheckboxField {...form.field("is_super_manager")} label="May add and remove managers" />
      <Submit {...form.submit} beside={<ReloadIfStale message={form.submit.message} onReload={onReload} />}>
        Save
      </Submit>
    </Form>
  );
}
