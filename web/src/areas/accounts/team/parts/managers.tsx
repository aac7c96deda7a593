import { Button } from "@mantine/core";
import { type BodyInput, type Manager, type Profile, type addManager, notFoundText } from "@millrace/contract";
import { useMemo, useState } from "react";
import { ConfirmModal } from "../../../../ui/modal/confirm-modal.tsx";
import { Modal } from "../../../../ui/modal/modal.tsx";
import { useAsking } from "../../../../ui/modal/use-asking.ts";
import { NameOverLine } from "../../../../ui/name-over-line.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { EmptyNote } from "../../../../ui/states/empty-note.tsx";
import { type Column, DataTable } from "../../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../../ui/table/row-actions.tsx";
import { useAddManager, useDeleteManager } from "../../profile/api.ts";
import { useResend } from "../use-resend.ts";
import { AddManager, EditManager } from "./manager-forms.tsx";
import { MemberState } from "./member-state.tsx";
import classes from "./team.module.css";

/** Has no manager while one is being added. */
type Asked = { what: "add"; manager?: undefined } | { what: "edit" | "delete"; manager: Manager };

/** The managers of the account, who sign in with their own e-mail. */
export function Managers({ profile }: { profile: Profile }) {
  const [failure, setFailure] = useState<string | null>(null);
  const { asked, opened, ask, close } = useAsking<Asked>();
  const remove = useDeleteManager();
  const resend = useResend(useAddManager(), setFailure);
  const columns = useMemo(() => managerColumns({ onAsk: ask, onResend: resend }), [ask, resend]);
  const open = opened ? asked?.what : null;
  const manager = asked?.manager;
  const invited = manager?.state === "invited";
  return (
    <Panel
      title="Managers"
      aside={
        <Button size="xs" variant="default" onClick={() => ask({ what: "add" })}>
          Add manager
        </Button>
      }
    >
      {profile.managers.length === 0 ? (
        <EmptyNote
          title={notFoundText("managers")}
          why="Managers sign in with their own e-mail and run this account with you."
        />
      ) : (
        <div className={classes.list}>
          <DataTable
            caption="Managers of the account"
            columns={columns}
            rows={profile.managers}
            rowId={({ uuid }) => uuid}
            cards
          />
        </div>
      )}
      <p className={classes.failed} role="alert">
        {failure}
      </p>
      <Modal opened={open === "add"} onClose={close} title="Add manager">
        <AddManager onDone={close} />
      </Modal>
      <Modal opened={open === "edit"} onClose={close} title="Edit manager">
        {manager ? <EditManager manager={manager} onDone={close} /> : null}
      </Modal>
      <ConfirmModal
        opened={open === "delete"}
        onClose={close}
        title={invited ? "Withdraw invitation" : "Delete manager"}
        confirm={invited ? "Withdraw invitation" : "Delete manager"}
        onConfirm={() => (manager ? remove.mutateAsync(manager.uuid) : Promise.resolve())}
      >
        {invited
          ? `The link sent to ${manager.email} will stop working.`
          : `${manager?.email ?? ""} will be signed out immediately and will lose access to this account.`}
      </ConfirmModal>
    </Panel>
  );
}

interface Doing {
  onAsk: (asked: Asked) => void;
  onResend: (invitation: BodyInput<typeof addManager>) => void;
}

const managerColumns = ({ onAsk, onResend }: Doing): Column<Manager>[] => [
  {
    id: "person",
    head: "Manager",
    cell: ({ name, email }) => <NameOverLine name={name} line={email} />,
  },
  { id: "super", head: "May add managers", cell: ({ is_super_manager }) => (is_super_manager ? "Yes" : "No") },
  { id: "state", head: "State", leads: true, cell: MemberState },
  actionsColumn((manager) => (
    <>
      <RowAction label="Edit" of={manager.email} onClick={() => onAsk({ what: "edit", manager })} />
      {manager.state === "invited" ? (
        <>
          <RowAction
            label="Resend"
            of={`the invitation of ${manager.email}`}
            onClick={() => onResend(invitationOf(manager))}
          />
          <RowAction
            label="Withdraw"
            of={`the invitation of ${manager.email}`}
            onClick={() => onAsk({ what: "delete", manager })}
          />
        </>
      ) : (
        <RowAction label="Delete" of={manager.email} onClick={() => onAsk({ what: "delete", manager })} />
      )}
    </>
  )),
];

const invitationOf = ({ email, name, is_super_manager }: Manager) => ({ email, name, is_super_manager });
