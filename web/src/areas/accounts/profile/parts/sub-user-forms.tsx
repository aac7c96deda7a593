import { NativeSelect } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { type SubUser, SUB_USER_LABELS, SUB_USER_ROLES, addSubUser } from "@millrace/contract";
import { messageOf } from "../../../../shared/call-api.ts";
import { useContractForm } from "../../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../../ui/form/form.tsx";
import { SelectField } from "../../../../ui/form/select-field.tsx";
import { useAddSubUser, useEditSubUser } from "../api.ts";
import classes from "./parts.module.css";

const OPTIONS = SUB_USER_ROLES.map((role) => ({ value: role, label: SUB_USER_LABELS[role] }));

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
          options={OPTIONS}
        />
        <Submit {...form.submit}>Add sub-user</Submit>
      </Form>
    </div>
  );
}

interface RoleSelectProps {
  user: SubUser;
  /** Called with the error, and with null when another attempt starts. */
  onFailed: (message: string | null) => void;
}

/** A sub-user's role; choosing another saves it. */
export function RoleSelect({ user: { uuid, email, role_code }, onFailed }: RoleSelectProps) {
  const edit = useEditSubUser();
  const wanted = edit.isPending ? edit.variables.role_code : undefined;
  const choose = (chosen: string) => {
    const role = SUB_USER_ROLES.find((code) => code === chosen);
    if (!role || edit.isPending) return;
    onFailed(null);
    edit.mutate({ id: uuid, role_code: role }, { onError: (failure) => onFailed(messageOf(failure)) });
  };
  return (
    <NativeSelect
      size="xs"
      className={classes.role ?? ""}
      aria-label={`Role of ${email}`}
      aria-busy={edit.isPending}
      data={OPTIONS}
      value={wanted ?? role_code}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}
