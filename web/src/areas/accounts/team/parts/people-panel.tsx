import { type Manager, type Profile, type SubUser, notFoundText } from "@millrace/contract";
import type { UseMutationResult } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useCallback, useMemo, useState } from "react";
import { messageOf } from "../../../../shared/call-api.ts";
import { dayText } from "../../../../shared/day-text.ts";
import type { Reload } from "../../../../shared/form/reload-button.tsx";
import { ConfirmModal } from "../../../../ui/modal/confirm-modal.tsx";
import { Modal } from "../../../../ui/modal/modal.tsx";
import { useDialog } from "../../../../ui/modal/use-dialog.ts";
import { useNotify } from "../../../../ui/notify/notify.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { EmptyNote } from "../../../../ui/states/empty-note.tsx";
import { type Column, DataTable } from "../../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../../ui/table/row-actions.tsx";
import { useProfile } from "../../profile/api.ts";
import { VisibleApps } from "./apps-field.tsx";
import classes from "./team.module.css";

type Person = SubUser | Manager;
/** The form of a person's rights, in a dialog. */
export interface EditProps<P extends Person> {
  person: P;
  onDone: () => void;
  onReload: Reload;
}
/** Called with an error, and with null when another attempt starts. */
export type OnFailed = (message: string | null) => void;

/** The differences between kinds of people. Each kind is one constant, so that cells are never remounted. */
export interface PeopleKind<P extends Person> {
  /** In the singular: `sub-user`. */
  one: string;
  /** Those of the account. */
  listIn: (profile: Profile) => readonly P[];
  /** Why there may be none. */
  why: string;
  /** The cells from the name on, before the apps. */
  columns: (onFailed: OnFailed) => Column<P>[];
  /** What happens to somebody who is deleted. */
  loses: string;
}

interface PeoplePanelProps<P extends Person, Invitation> {
  kind: PeopleKind<P>;
  title: string;
  people: readonly P[];
  /** The account has the apps side. */
  hasApps: boolean;
  /** Buttons that add somebody. */
  aside: ReactNode;
  /** Columns after the state; as stable as the kind. */
  more?: Column<P>[];
  /** Additional actions for people who have already joined. */
  actions?: (person: P) => ReactNode;
  invitationOf: (person: P) => Invitation;
  invite: Pick<UseMutationResult<unknown, Error, Invitation>, "mutate">;
  onRemove: (uuid: string) => Promise<unknown>;
  Edit: ComponentType<EditProps<P>>;
  children: ReactNode;
}

/** People with access to the account, invited ones included: changed, invited again, and removed. */
export function PeoplePanel<P extends Person, Invitation>(props: PeoplePanelProps<P, Invitation>) {
  const { kind, title, people, hasApps, aside, more, actions, invitationOf, invite, onRemove, Edit, children } = props;
  const { one: singular } = kind;
  const { tell } = useNotify();
  const { mutate } = invite;
  const [failure, setFailure] = useState<string | null>(null);
  const { subject, opened, open, close } = useDialog<{ what: "edit" | "remove"; person: P }>();
  const { refetch } = useProfile();
  /** The person as saved now, and maybe changed by somebody else; undefined once deleted. */
  const refetchPerson = useCallback(
    async ({ uuid }: P) => {
      const { data, error } = await refetch();
      return { saved: data && kind.listIn(data).find((each) => each.uuid === uuid), error };
    },
    [kind, refetch],
  );
  // Stable columns: new ones would remount the cells and lose the focus.
  const columns = useMemo((): Column<P>[] => {
    // The person gets a new link, and the older ones stop working.
    const resend = async (person: P) => {
      setFailure(null);
      const { saved, error } = await refetchPerson(person);
      if (error !== null) return setFailure(messageOf(error));
      // The person was deleted or has joined meanwhile; the refetched list shows it.
      if (!saved) return;
      mutate(invitationOf(saved), {
        onSuccess: () => tell(`A new invitation was sent to ${person.email}`),
        onError: (failed) => setFailure(messageOf(failed)),
      });
    };
    return [
      ...kind.columns(setFailure),
      ...(hasApps ? [{ id: "apps", head: "Apps", cell: VisibleApps }] : []),
      { id: "state", head: "State", leads: true, cell: MemberState },
      ...(more ?? []),
      actionsColumn((person) => {
        const invited = person.state === "invited";
        const target = invited ? `the invitation of ${person.email}` : person.email;
        return (
          <>
            <RowAction label="Edit" of={person.email} onClick={() => open({ what: "edit", person })} />
            {invited ? <RowAction label="Resend" of={target} onClick={() => void resend(person)} /> : actions?.(person)}
            <RowAction
              label={invited ? "Withdraw" : "Delete"}
              of={target}
              onClick={() => open({ what: "remove", person })}
            />
          </>
        );
      }),
    ];
  }, [kind, hasApps, more, actions, invitationOf, mutate, tell, open, refetchPerson]);
  const person = subject?.person;
  const reload = async () => {
    const { saved, error } = person ? await refetchPerson(person) : { error: null };
    if (saved) open({ what: "edit", person: saved });
    else if (error === null) close();
    return { error };
  };
  const shown = opened ? subject?.what : null;
  const removal = person?.state === "invited" ? "Withdraw invitation" : `Delete ${singular}`;
  return (
    <Panel title={title} aside={<div className={classes.bar}>{aside}</div>}>
      {people.length === 0 ? (
        <EmptyNote title={notFoundText(`${singular}s`)} why={kind.why} />
      ) : (
        <div className={classes.list}>
          <DataTable
            caption={`${title} of the account`}
            columns={columns}
            rows={people}
            rowId={({ uuid }) => uuid}
            cards
          />
        </div>
      )}
      <p className={classes.failed} role="alert">
        {failure}
      </p>
      <Modal opened={shown === "edit"} onClose={close} title={`Edit ${singular}`}>
        {person ? <Edit key={person.revision} person={person} onDone={close} onReload={reload} /> : null}
      </Modal>
      <ConfirmModal
        opened={shown === "remove"}
        onClose={close}
        title={removal}
        confirm={removal}
        onConfirm={async () => {
          if (person) await onRemove(person.uuid);
        }}
      >
        {person?.state === "invited"
          ? `The link sent to ${person.email} will stop working.`
          : `${person?.email ?? ""} ${kind.loses}`}
      </ConfirmModal>
      {children}
    </Panel>
  );
}

/** Whether a person has access, or an invitation that waits. */
function MemberState({ state, invitation }: Pick<Person, "state" | "invitation">) {
  return (
    <>
      <span className={classes.state} data-state={state}>
        {state === "active" ? "Active" : "Invited"}
      </span>
      {invitation ? (
        <span className={classes.since}>
          waiting since {dayText(invitation.invited_at)}
          <br />
          link works until {dayText(invitation.expires_at)}
        </span>
      ) : null}
    </>
  );
}
