import { addManager } from "@millrace/contract";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { PasswordField } from "../../../ui/form/password-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useAddManager } from "../api.ts";

/** Invites a person; the link in the mail that follows lets them in. */
export function AddManager({ onDone }: { onDone: () => void }) {
  const { tell } = useNotify();
  const add = useAddManager();
  const form = useContractForm({
    schema: addManager.body,
    initial: { email: "", name: "", password: "", is_super_manager: false },
    send: (body) => add.mutateAsync(body),
    onDone: (_, { email }) => {
      tell(`A mail with an invitation goes to ${email}`);
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <TextField {...form.field("email")} label="Email" type="email" autoComplete="off" data-autofocus />
      <TextField {...form.field("name")} label="Name" autoComplete="off" />
      <PasswordField
        {...form.field("password")}
        label="Password"
        description="Give it to the manager yourself: it is not in the mail."
        autoComplete="new-password"
      />
      <CheckboxField {...form.field("is_super_manager")} label="May add and remove managers" />
      <Submit {...form.submit}>Add manager</Submit>
    </Form>
  );
}
