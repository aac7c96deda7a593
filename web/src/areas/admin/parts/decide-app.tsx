import { type AppIdentity, type AppModeration, PLATFORM_LABELS } from "@millrace/contract";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useModerateApp } from "../api.ts";
import { DecisionForm } from "./decision-form.tsx";

export interface AppDecision {
  app: Pick<AppIdentity, "uuid" | "name" | "platform" | "bundle_id"> & {
    moderation: AppModeration;
    owner: { email: string };
  };
  decision: "approve" | "ban";
}

interface DecideAppProps {
  subject: AppDecision | null;
  opened: boolean;
  onClose: () => void;
}

/** Approves an app, or bans it with a reason that its owner sees, whatever was decided before. */
export function DecideApp({ subject, opened, onClose }: DecideAppProps) {
  const moderate = useModerateApp();
  const decide = ({ app: { uuid, moderation, bundle_id }, decision }: AppDecision, reason: string) =>
    // Refused if another admin or the owner has changed the app since this list was loaded.
    moderate.mutateAsync({ id: uuid, decision, reason, seen: { moderation, bundle_id } });
  const bans = subject?.decision === "ban";
  const action = bans ? "Ban app" : "Approve app";
  return (
    <Modal opened={opened} onClose={onClose} title={action}>
      {subject ? (
        <DecisionForm
          about={`${subject.app.name} (${PLATFORM_LABELS[subject.app.platform]}) will get ${bans ? "no ads" : "ads"}.`}
          ownerEmail={subject.app.owner.email}
          refuses={bans}
          action={action}
          done={bans ? `${subject.app.name} is banned` : `${subject.app.name} is approved`}
          decide={(reason) => decide(subject, reason)}
          onDone={onClose}
        />
      ) : null}
    </Modal>
  );
}
