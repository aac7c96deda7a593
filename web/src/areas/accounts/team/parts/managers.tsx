import { Button } from "@mantine/core";
import type { Manager, Profile } from "@millrace/contract";
import { useState } from "react";
import { Modal } from "../../../../ui/modal/modal.tsx";
import { NameOverLine } from "../../../../ui/name-over-line.tsx";
import { useAddManager, useDeleteManager } from "../../profile/api.ts";
import { AddManager, EditManager } from "./manager-forms.tsx";
import { type PeopleKind, PeoplePanel } from "./people-panel.tsx";

const MANAGER: PeopleKind<Manager> = {
  one: "manager",
  listIn: ({ managers }) => managers,
  why: "Managers sign in with their own e-mail and run this account with you.",
  loses: "will be signed out immediately and will lose access to this account.",
  columns: () => [
    { id: "person", head: "Manager", cell: ({ name, email }) => <NameOverLine name={name} line={email} /> },
    { id: "super", head: "May add managers", cell: ({ is_super_manager }) => (is_super_manager ? "Yes" : "No") },
  ],
};

/** The managers of the account, who sign in with their own e-mail. */
export function Managers({ profile }: { profile: Profile }) {
  const [adding, setAdding] = useState(false);
  const remove = useDeleteManager();
  const close = () => setAdding(false);
  return (
    <PeoplePanel
      kind={MANAGER}
      title="Managers"
      people={profile.managers}
      hasApps={profile.roles.can_apps}
      aside={
        <Button size="xs" variant="default" onClick={() => setAdding(true)}>
          Add manager
        </Button>
      }
      invitationOf={invitationOf}
      invite={useAddManager()}
      onRemove={remove.mutateAsync}
      Edit={EditManager}
    >
      <Modal opened={adding} onClose={close} title="Add manager">
        <AddManager onDone={close} />
      </Modal>
    </PeoplePanel>
  );
}

const invitationOf = ({ email, name, is_super_manager, app_ids }: Manager) => ({
  email,
  name,
  is_super_manager,
  app_ids,
});
