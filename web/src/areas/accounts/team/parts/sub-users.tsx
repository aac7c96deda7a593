import { Button } from "@mantine/core";
import type { Profile, SubUser } from "@millrace/contract";
import { useCallback, useState } from "react";
import { CopyText } from "../../../../ui/copy-text.tsx";
import { ConfirmModal } from "../../../../ui/modal/confirm-modal.tsx";
import { Modal } from "../../../../ui/modal/modal.tsx";
import { useDialog } from "../../../../ui/modal/use-dialog.ts";
import type { Column } from "../../../../ui/table/data-table.tsx";
import { RowAction } from "../../../../ui/table/row-actions.tsx";
import { useDeleteSubUser, useEditSubUser, useInviteSubUser } from "../../profile/api.ts";
import { type PeopleKind, PeoplePanel } from "./people-panel.tsx";
import { AddSubUser, EditSubUser, InviteSubUser, RoleSelect } from "./sub-user-forms.tsx";
import classes from "./team.module.css";

const SUB_USER: PeopleKind<SubUser> = {
  one: "sub-user",
  listIn: ({ sub_users }) => sub_users,
  why: "A sub-user is a separate login to this account, limited by its role. Invite a person by e-mail, or create a login to hand over.",
  loses: "will be signed out immediately and can no longer sign in.",
  columns: (onFailed) => [
    { id: "person", head: "Sub-user", cell: (user) => <Person user={user} /> },
    { id: "role", head: "Role", cell: (user) => <RoleSelect user={user} onFailed={onFailed} /> },
  ],
};
const PASSWORD: Column<SubUser>[] = [{ id: "salt", head: "Password", cell: (user) => <Password user={user} /> }];

/** Has no sub-user while one is being added or invited. */
type Subject = { what: "add" | "invite"; user?: undefined } | { what: "password"; user: SubUser };

/** Logins under the account, limited by their roles. A new password is shown until the user leaves the page. */
export function SubUsers({ profile }: { profile: Profile }) {
  const [salts, setSalts] = useState<Readonly<Record<string, string>>>({});
  const { subject, opened, open, close } = useDialog<Subject>();
  const edit = useEditSubUser();
  const remove = useDeleteSubUser();
  const shown = opened ? subject?.what : null;
  const showCreated = ({ uuid, salt }: SubUser) => {
    if (salt !== null) setSalts((before) => ({ ...before, [uuid]: salt }));
    close();
  };
  const newPassword = useCallback(
    (user: SubUser) =>
      user.has_mailbox ? null : (
        <RowAction label="New password" of={`for ${user.email}`} onClick={() => open({ what: "password", user })} />
      ),
    [open],
  );
  return (
    <PeoplePanel
      kind={SUB_USER}
      title="Sub-users"
      people={profile.sub_users.map((user) => ({ ...user, salt: salts[user.uuid] ?? null }))}
      hasApps={profile.roles.can_apps}
      aside={
        <>
          <Button size="xs" onClick={() => open({ what: "invite" })}>
            Invite by e-mail
          </Button>
          <Button size="xs" variant="default" onClick={() => open({ what: "add" })}>
            Add sub-user
          </Button>
        </>
      }
      more={PASSWORD}
      actions={newPassword}
      invitationOf={invitationOf}
      invite={useInviteSubUser()}
      onRemove={remove.mutateAsync}
      Edit={EditSubUser}
    >
      <Modal opened={shown === "invite"} onClose={close} title="Invite by e-mail">
        <InviteSubUser onDone={close} />
      </Modal>
      <Modal opened={shown === "add"} onClose={close} title="Add sub-user">
        <AddSubUser onAdded={showCreated} />
      </Modal>
      <ConfirmModal
        opened={shown === "password"}
        onClose={close}
        title="New password"
        confirm="Create new password"
        onConfirm={async () => {
          if (subject?.user) showCreated(await edit.mutateAsync({ id: subject.user.uuid, new_password: 1 }));
        }}
      >
        {subject?.user?.email} will be signed out everywhere and needs the new password, which is shown once in the
        list.
      </ConfirmModal>
    </PeoplePanel>
  );
}

const invitationOf = ({ email, name, role_code, app_ids }: SubUser) => ({ email, name, role_code, app_ids });

/** A generated e-mail is there to be copied and handed over. */
const Person = ({ user: { name, email, has_mailbox } }: { user: SubUser }) => (
  <span className={classes.person}>
    <b title={name}>{name}</b>
    {has_mailbox ? (
      <small title={email}>{email}</small>
    ) : (
      <span className={classes.login}>
        <CopyText text={email} what="the e-mail" />
      </span>
    )}
  </span>
);

function Password({ user: { salt, has_mailbox } }: { user: SubUser }) {
  if (has_mailbox) return <span className={classes.faint}>their own choice</span>;
  if (salt === null) return <span className={classes.faint}>shown once, when created</span>;
  return (
    <span className={classes.code}>
      <CopyText text={salt} what="the password" />
    </span>
  );
}
