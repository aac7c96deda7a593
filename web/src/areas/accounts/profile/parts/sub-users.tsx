import { type Profile, SUB_USER_LABELS, SUB_USER_ROLES, type SubUser, notFoundText } from "@millrace/contract";
import { useMemo, useState } from "react";
import { CopyText } from "../../../../ui/copy-text.tsx";
import { ConfirmModal } from "../../../../ui/modal/confirm-modal.tsx";
import { useAsking } from "../../../../ui/modal/use-asking.ts";
import { Panel } from "../../../../ui/panel.tsx";
import { EmptyNote } from "../../../../ui/states/empty-note.tsx";
import { type Column, DataTable } from "../../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../../ui/table/row-actions.tsx";
import { useDeleteSubUser, useEditSubUser } from "../api.ts";
import { AddSubUser, RoleSelect } from "./sub-user-forms.tsx";
import classes from "./parts.module.css";
import { Rights } from "./rights.tsx";

interface Asked {
  what: "password" | "delete";
  user: SubUser;
}

/** Logins under the account. A new password is shown until the user leaves the page. */
export function SubUsers({ profile }: { profile: Profile }) {
  const [salts, setSalts] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const { asked, opened, ask, close } = useAsking<Asked>();
  const edit = useEditSubUser();
  const remove = useDeleteSubUser();
  const keep = ({ uuid, salt }: SubUser) => {
    if (salt !== null) setSalts((before) => ({ ...before, [uuid]: salt }));
  };
  // Stable columns: new ones would remount the cells and lose the focus.
  const columns = useMemo(() => subUserColumns({ onFailed: setFailure, onAsk: ask }), [ask]);
  return (
    <Panel title="Sub-users" aside={profile.sub_users.length > 0 ? `${profile.sub_users.length} in total` : undefined}>
      {profile.sub_users.length === 0 ? (
        <EmptyNote
          title={notFoundText("sub-users")}
          why="A sub-user is a separate login to this account, limited by its role."
        />
      ) : (
        <DataTable
          caption="Sub-users of the account"
          columns={columns}
          rows={profile.sub_users.map((user) => ({ ...user, salt: salts[user.uuid] ?? null }))}
          rowId={({ uuid }) => uuid}
        />
      )}
      <p className={classes.failed} role="alert">
        {failure}
      </p>
      <AddSubUser onAdded={keep} />
      <div className={classes.rights}>
        <Rights
          caption="Rights for access of sub-users"
          who={SUB_USER_ROLES.map((role) => ({ role, label: SUB_USER_LABELS[role] }))}
          sides={profile.roles}
        />
      </div>
      <ConfirmModal
        opened={opened && asked?.what === "delete"}
        onClose={close}
        title="Delete sub-user"
        confirm="Delete sub-user"
        onConfirm={() => (asked ? remove.mutateAsync(asked.user.uuid) : Promise.resolve())}
      >
        {asked?.user.email} will be signed out immediately and can no longer sign in.
      </ConfirmModal>
      <ConfirmModal
        opened={opened && asked?.what === "password"}
        onClose={close}
        title="New password"
        confirm="Create new password"
        onConfirm={async () => {
          if (asked) keep(await edit.mutateAsync({ id: asked.user.uuid, new_password: 1 }));
        }}
      >
        {asked?.user.email} will be signed out everywhere and needs the new password, which is shown once in the list.
      </ConfirmModal>
    </Panel>
  );
}

interface Doing {
  onFailed: (message: string | null) => void;
  onAsk: (asked: Asked) => void;
}

const subUserColumns = ({ onFailed, onAsk }: Doing): Column<SubUser>[] => [
  {
    id: "email",
    head: "Email",
    cell: ({ email }) => (
      <span className={classes.login}>
        <CopyText text={email} what="the e-mail" />
      </span>
    ),
  },
  {
    id: "salt",
    head: "Password",
    cell: ({ salt }) =>
      salt === null ? (
        <span className={classes.faint}>shown once, when created</span>
      ) : (
        <span className={classes.code}>
          <CopyText text={salt} what="the password" />
        </span>
      ),
  },
  { id: "role", head: "Role", cell: (user) => <RoleSelect user={user} onFailed={onFailed} /> },
  actionsColumn((user) => (
    <>
      <RowAction label="New password" of={`for ${user.email}`} onClick={() => onAsk({ what: "password", user })} />
      <RowAction label="Delete" of={user.email} onClick={() => onAsk({ what: "delete", user })} />
    </>
  )),
];
