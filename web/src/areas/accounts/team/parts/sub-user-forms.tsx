import { NativeSelect } from "@mantine/core";
import "@mantine/core/styles/Input.layer.css";
// The size of its chevron.
import "@mantine/core/styles/Combobox.layer.css";
import {
  type SubUser,
  SUB_USER_LABELS,
  SUB_USER_ROLES,
  addSubUser,
  editSubUser,
  inviteSubUser,
} from "@millrace/contract";
import { messageOf } from "../../../../shared/call-api.ts";
import { ReloadIfStale } from "../../../../shared/form/reload-button.tsx";
import { useContractForm } from "../../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../../ui/form/form.tsx";
import { SelectField } from "../../../../ui/form/select-field.tsx";
import { TextField } from "../../../../ui/form/text-field.tsx";
import { useNotify } from "../../../../ui/notify/notify.tsx";
import { useAddSubUser, useEditSubUser, useInviteSubUser } from "../../profile/api.ts";
import { AppsField } from "./apps-field.tsx";
import type { EditProps, OnFailed } from "./people-panel.tsx";
import classes from "./team.module.css";

const OPTIONS = SUB_USER_ROLES.map((role) => ({ value: role, label: SUB_USER_LABELS[role] }));

/** Creates a login with a role; the server generates its e-mail and password. */
export function AddSubUser({ onAdded }: { onAdded: (added: SubUser) => void }) {
  const add = useAddSubUser();
  const form = useContractForm({
    schema: addSubUser.body,
    initial: { name: undefined, role_code: "", app_ids: null },
    send: (body) => add.mutateAsync(body),
    onDone: onAdded,
  });
  return (
    <Form {...form.props}>
      <p className={classes.about}>
        Creates a login with an e-mail and a password for you to hand over. Millrace sends no mail.
      </p>
      <TextField
        {...form.field("name")}
        onChange={(typed) => form.set({ name: typed === "" ? undefined : typed })}
        label="Name"
        description="Without one, the sub-user is named after the role"
        autoComplete="off"
        data-autofocus
      />
      <SelectField {...form.field("role_code")} label="Role" placeholder="Choose a role" options={OPTIONS} />
      <AppsField {...form.nullable("app_ids")} />
      <Submit {...form.submit}>Add sub-user</Submit>
    </Form>
  );
}

/** Invites a person by mail; the link in it lets them choose a password. */
export function InviteSubUser({ onDone }: { onDone: () => void }) {
  const { tell } = useNotify();
  const invite = useInviteSubUser();
  const form = useContractForm({
    schema: inviteSubUser.body,
    initial: { email: "", name: "", role_code: "", app_ids: null },
    send: (body) => invite.mutateAsync(body),
    onDone: (_, { email }) => {
      tell(`An invitation was sent to ${email}`);
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <TextField {...form.field("email")} label="Email" type="email" autoComplete="off" data-autofocus />
      <TextField {...form.field("name")} label="Name" autoComplete="off" />
      <SelectField {...form.field("role_code")} label="Role" placeholder="Choose a role" options={OPTIONS} />
      <AppsField {...form.nullable("app_ids")} />
      <Submit {...form.submit}>Invite</Submit>
    </Form>
  );
}

const Change = editSubUser.body.pick({ name: true, app_ids: true });

/** A sub-user's name and apps. */
export function EditSubUser({ person: user, onDone, onReload }: EditProps<SubUser>) {
  const edit = useEditSubUser();
  const form = useContractForm({
    schema: Change,
    initial: { name: user.name, app_ids: user.app_ids },
    send: (change) => edit.mutateAsync({ id: user.uuid, revision: user.revision, ...change }),
    onDone,
  });
  return (
    <Form {...form.props}>
      <TextField {...form.field("name")} label="Name" autoComplete="off" data-autofocus />
      <AppsField {...form.nullable("app_ids")} />
      <Submit {...form.submit} beside={<ReloadIfStale message={form.submit.message} onReload={onReload} />}>
        Save
      </Submit>
    </Form>
  );
}

interface RoleSelectProps {
  user: SubUser;
  onFailed: OnFailed;
}

/** A sub-user's role; choosing another saves it. */
export function RoleSelect({ user: { uuid, email, role_code }, onFailed }: RoleSelectProps) {
  const edit = useEditSubUser();
  const pendingRole = edit.isPending ? edit.variables.role_code : undefined;
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
      value={pendingRole ?? role_code}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}
