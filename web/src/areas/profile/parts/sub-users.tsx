import { Button, NativeSelect } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { type Profile, SUB_USER_LABELS, SUB_USER_ROLES, type SubUser, notFoundText } from "@millrace/contract";
import { useMemo, useState } from "react";
import { messageOf } from "../../../shared/call-api.ts";
import { CopyText } from "../../../ui/copy-text.tsx";
import { ConfirmModal } from "../../../ui/modal/confirm-modal.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { useDeleteSubUser, useEditSubUser } from "../api.ts";
import { AddSubUser } from "./add-sub-user.tsx";
import classes from "./parts.module.css";
import { Rights } from "./rights.tsx";

interface Asked {
  what: "password" | "delete";
  user: SubUser;
}

/** Logins under the account. A password stands there from when it was made until the page is left. */
export function SubUsers({ profile }: { profile: Profile }) {
  const [salts, setSalts] = useState<Readonly<Record<string, string>>>({});
  const [asked, setAsked] = useState<Asked | null>(null);
  const [asks, setAsks] = useState(false);
  const edit = useEditSubUser();
  const remove = useDeleteSubUser();
  const { mutate: changeRole, isPending, variables, error } = edit;
  const keep = ({ uuid, salt }: SubUser) => {
    if (salt !== null) setSalts((before) => ({ ...before, [uuid]: salt }));
  };
  const columns = useMemo(
    () =>
      subUserColumns({
        salts,
        changing: isPending ? variables.id : null,
        onRole: (id, role_code) => changeRole({ id, role_code }),
        onAsk: (next) => {
          setAsked(next);
          setAsks(true);
        },
      }),
    [salts, isPending, variables, changeRole],
  );
  return (
    <Panel title="Sub-users" aside={profile.sub_users.length > 0 ? `${profile.sub_users.length} in all` : undefined}>
      {profile.sub_users.length === 0 ? (
        <EmptyNote
          title={notFoundText("sub-users")}
          why="A sub-user is a login of its own to this account that sees and does only what its role may."
        />
      ) : (
        <DataTable caption="Sub-users" columns={columns} rows={profile.sub_users} rowId={({ uuid }) => uuid} />
      )}
      <p className={classes.failed} role="alert">
        {error && !asks ? messageOf(error) : null}
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
        opened={asks && asked?.what === "delete"}
        onClose={() => setAsks(false)}
        title="Delete sub-user"
        confirm="Delete sub-user"
        onConfirm={() => (asked ? remove.mutateAsync(asked.user.uuid) : Promise.resolve())}
      >
        {asked?.user.email} is signed out at once and cannot sign in any more.
      </ConfirmModal>
      <ConfirmModal
        opened={asks && asked?.what === "password"}
        onClose={() => setAsks(false)}
        title="New password"
        confirm="Make new password"
        onConfirm={async () => {
          if (asked) keep(await edit.mutateAsync({ id: asked.user.uuid, new_password: 1 }));
        }}
      >
        {asked?.user.email} is signed out everywhere and needs the new password, which is shown once, in the list.
      </ConfirmModal>
    </Panel>
  );
}

interface Doing {
  salts: Readonly<Record<string, string>>;
  /** Whose role is being changed. */
  changing: string | null;
  onRole: (uuid: string, role: SubUser["role_code"]) => void;
  onAsk: (asked: Asked) => void;
}

const subUserColumns = ({ salts, changing, onRole, onAsk }: Doing): Column<SubUser>[] => [
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
    cell: ({ uuid }) => {
      const salt = salts[uuid];
      return salt === undefined ? (
        <span className={classes.faint}>shown once, when made</span>
      ) : (
        <span className={classes.code}>
          <CopyText text={salt} what="the password" />
        </span>
      );
    },
  },
  {
    id: "role",
    head: "Role",
    cell: ({ uuid, email, role_code }) => (
      <NativeSelect
        size="xs"
        className={classes.role ?? ""}
        aria-label={`Role of ${email}`}
        data={SUB_USER_ROLES.map((role) => ({ value: role, label: SUB_USER_LABELS[role] }))}
        value={role_code}
        disabled={changing === uuid}
        onChange={({ currentTarget }) => {
          const role = SUB_USER_ROLES.find((code) => code === currentTarget.value);
          if (role) onRole(uuid, role);
        }}
      />
    ),
  },
  {
    id: "actions",
    head: "Actions",
    numeric: true,
    cell: (user) => (
      <span className={classes.actions}>
        <Button
          variant="default"
          size="xs"
          aria-label={`New password for ${user.email}`}
          onClick={() => onAsk({ what: "password", user })}
        >
          New password
        </Button>
        <Button
          variant="default"
          size="xs"
          aria-label={`Delete ${user.email}`}
          onClick={() => onAsk({ what: "delete", user })}
        >
          Delete
        </Button>
      </span>
    ),
  },
];
