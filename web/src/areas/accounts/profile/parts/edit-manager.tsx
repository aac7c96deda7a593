import { FirstName, type Manager } from "@millrace/contract";
import { z } from "zod";
import { useContractForm } from "../../../../shared/form/use-contract-form.ts";
import { CheckboxField } from "../../../../ui/form/checkbox-field.tsx";
import { Form, Submit } from "../../../../ui/form/form.tsx";
import { TextField } from "../../../../ui/form/text-field.tsx";
import { useEditManager } from "../api.ts";

const Change = z.object({ name: FirstName, is_super_manager: z.boolean() });

/** A manager's name, and the right to add managers. */
export function EditManager({ manager, onDone }: { manager: Manager; onDone: () => void }) {
  const edit = useEditManager();
  const form = useContractForm({
    schema: Change,
    initial: { name: manager.name, is_super_manager: manager.is_super_manager },
    send: (change) => edit.mutateAsync({ id: manager.uuid, ...change }),
    onDone,
  });
  return (
    <Form {...form.props}>
      <TextField {...form.field("name")} label="Name" autoComplete="off" data-autofocus />
      <CheckboxField {...form.field("is_super_manager")} label="May add and remove managers" />
      <Submit {...form.submit}>Save</Submit>
    </Form>
  );
}
