import { Modal } from "../../../ui/modal/modal.tsx";
import { useModerateApp } from "../api.ts";
import { DecisionForm } from "./decision-form.tsx";

export interface AppDecision {
  app: { uuid: string; name: string; owner: { email: string } };
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
  const bans = subject?.decision === "ban";
  const action = bans ? "Ban app" : "Approve app";
  return (
    <Modal opened={opened} onClose={onClose} title={action}>
      {subject ? (
        <DecisionForm
          about={bans ? `${subject.app.name} will get no ads.` : `${subject.app.name} will get ads.`}
          ownerEmail={subject.app.owner.email}
          refuses={bans}
          action={action}
          done={bans ? `${subject.app.name} is banned` : `${subject.app.name} is approved`}
          decide={(reason) => moderate.mutateAsync({ id: subject.app.uuid, decision: subject.decision, reason })}
          onDone={onClose}
        />
      ) : null}
    </Modal>
  );
}
