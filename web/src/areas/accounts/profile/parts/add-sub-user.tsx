import { SUB_USER_LABELS, SUB_USER_ROLES, type SubUser, addSubUser } from "@millrace/contract";
import { useContractForm } from "../../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../../ui/form/form.tsx";
import { SelectField } from "../../../../ui/form/select-field.tsx";
import { useAddSubUser } from "../api.ts";
import classes from "./parts.module.css";

/** Creates a login with a role; the server generates its e-mail and password. */
export function AddSubUser({ onAdded }: { onAdded: (added: SubUser) => void }) {
  const add = useAddSubUser();
  const form = useContractForm({
    schema: addSubUser.body,
    initial: { role_code: "" },
    send: ({ role_code }) => add.mutateAsync(role_code),
    onDone: (added) => {
      onAdded(added);
      form.reset();
    },
  });
  return (
    <div className={classes.adder}>
      <Form {...form.props}>
        <SelectField
          {...form.field("role_code")}
          label="Role of a new sub-user"
          placeholder="Choose a role"
          options={SUB_USER_ROLES.map((role) => ({ value: role, label: SUB_USER_LABELS[role] }))}
        />
        <Submit {...form.submit}>Add sub-user</Submit>
      </Form>
    </div>
  );
}
