import { Button } from "@mantine/core";
import { type BodyInput, type Profile, type SubUser, type inviteSubUser, notFoundText } from "@millrace/contract";
import { useMemo, useState } from "react";
import { CopyText } from "../../../../ui/copy-text.tsx";
import { ConfirmModal } from "../../../../ui/modal/confirm-modal.tsx";
import { Modal } from "../../../../ui/modal/modal.tsx";
import { useAsking } from "../../../../ui/modal/use-asking.ts";
import { Panel } from "../../../../ui/panel.tsx";
import { EmptyNote } from "../../../../ui/states/empty-note.tsx";
import { type Column, DataTable } from "../../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../../ui/table/row-actions.tsx";
import { useDeleteSubUser, useEditSubUser, useInviteSubUser } from "../../profile/api.ts";
import { useResend } from "../use-resend.ts";
import { MemberState } from "./member-state.tsx";
import { AddSubUser, InviteSubUser, RenameSubUser, RoleSelect } from "./sub-user-forms.tsx";
import classes from "./team.module.css";

/** Has no sub-user while one is being added or invited. */
type Asked = { what: "add" | "invite"; user?: undefined } | { what: "rename" | "password" | "delete"; user: SubUser };

/** Logins under the account, limited by their roles. A new password is shown until the user leaves the page. */
export function SubUsers({ profile }: { profile: Profile }) {
  const [salts, setSalts] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const { asked, opened, ask, close } = useAsking<Asked>();
  const resend = useResend(useInviteSubUser(), setFailure);
  const keep = ({ uuid, salt }: SubUser) => {
    if (salt !== null) setSalts((before) => ({ ...before, [uuid]: salt }));
  };
  // Stable columns: new ones would remount the cells and lose the focus.
  const columns = useMemo(() => subUserColumns({ onFailed: setFailure, onAsk: ask, onResend: resend }), [ask, resend]);
  return (
    <Panel
      title="Sub-users"
      aside={
        <div className={classes.bar}>
          <Button size="xs" onClick={() => ask({ what: "invite" })}>
            Invite by e-mail
          </Button>
          <Button size="xs" variant="default" onClick={() => ask({ what: "add" })}>
            Add sub-user
          </Button>
        </div>
      }
    >
      {profile.sub_users.length === 0 ? (
        <EmptyNote
          title={notFoundText("sub-users")}
          why="A sub-user is a separate login to this account, limited by its role. Invite a person by e-mail, or create a login to hand over."
        />
      ) : (
        <div className={classes.list}>
          <DataTable
            caption="Sub-users of the account"
            columns={columns}
            rows={profile.sub_users.map((user) => ({ ...user, salt: salts[user.uuid] ?? null }))}
            rowId={({ uuid }) => uuid}
            cards
          />
        </div>
      )}
      <p className={classes.failed} role="alert">
        {failure}
      </p>
      <Dialogs asked={asked} opened={opened} onClose={close} onMade={keep} />
    </Panel>
  );
}

interface DialogsProps {
  asked: Asked | null;
  opened: boolean;
  onClose: () => void;
  /** Called with a sub-user whose password is shown once. */
  onMade: (user: SubUser) => void;
}

function Dialogs({ asked, opened, onClose, onMade }: DialogsProps) {
  const edit = useEditSubUser();
  const remove = useDeleteSubUser();
  const open = opened ? asked?.what : null;
  const user = asked?.user;
  const invited = user?.state === "invited";
  const made = (added: SubUser) => {
    onMade(added);
    onClose();
  };
  return (
    <>
      <Modal opened={open === "invite"} onClose={onClose} title="Invite by e-mail">
        <InviteSubUser onDone={onClose} />
      </Modal>
      <Modal opened={open === "add"} onClose={onClose} title="Add sub-user">
        <AddSubUser onAdded={made} />
      </Modal>
      <Modal opened={open === "rename"} onClose={onClose} title="Rename sub-user">
        {user ? <RenameSubUser user={user} onDone={onClose} /> : null}
      </Modal>
      <ConfirmModal
        opened={open === "delete"}
        onClose={onClose}
        title={invited ? "Withdraw invitation" : "Delete sub-user"}
        confirm={invited ? "Withdraw invitation" : "Delete sub-user"}
        onConfirm={() => (user ? remove.mutateAsync(user.uuid) : Promise.resolve())}
      >
        {invited
          ? `The link sent to ${user.email} will stop working.`
          : `${user?.email ?? ""} will be signed out immediately and can no longer sign in.`}
      </ConfirmModal>
      <ConfirmModal
        opened={open === "password"}
        onClose={onClose}
        title="New password"
        confirm="Create new password"
        onConfirm={async () => {
          if (user) onMade(await edit.mutateAsync({ id: user.uuid, new_password: 1 }));
        }}
      >
        {user?.email} will be signed out everywhere and needs the new password, which is shown once in the list.
      </ConfirmModal>
    </>
  );
}

interface Doing {
  onFailed: (message: string | null) => void;
  onAsk: (asked: Asked) => void;
  onResend: (invitation: BodyInput<typeof inviteSubUser>) => void;
}

const subUserColumns = ({ onFailed, onAsk, onResend }: Doing): Column<SubUser>[] => [
  { id: "person", head: "Sub-user", cell: (user) => <Person user={user} /> },
  { id: "role", head: "Role", cell: (user) => <RoleSelect user={user} onFailed={onFailed} /> },
  { id: "state", head: "State", leads: true, cell: MemberState },
  { id: "salt", head: "Password", cell: (user) => <Password user={user} /> },
  actionsColumn((user) => (
    <>
      <RowAction label="Rename" of={user.email} onClick={() => onAsk({ what: "rename", user })} />
      {user.state === "invited" ? (
        <>
          <RowAction
            label="Resend"
            of={`the invitation of ${user.email}`}
            onClick={() => onResend(invitationOf(user))}
          />
          <RowAction
            label="Withdraw"
            of={`the invitation of ${user.email}`}
            onClick={() => onAsk({ what: "delete", user })}
          />
        </>
      ) : (
        <>
          {user.has_mailbox ? null : (
            <RowAction
              label="New password"
              of={`for ${user.email}`}
              onClick={() => onAsk({ what: "password", user })}
            />
          )}
          <RowAction label="Delete" of={user.email} onClick={() => onAsk({ what: "delete", user })} />
        </>
      )}
    </>
  )),
];

const invitationOf = ({ email, name, role_code }: SubUser) => ({ email, name, role_code });

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
