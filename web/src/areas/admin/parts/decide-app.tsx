import { Modal } from "../../../ui/modal/modal.tsx";
import { useModerateApp } from "../api.ts";
import { DecisionForm } from "./decision-form.tsx";

export interface AppDecision {
  app: { uuid: string; name: string; owner: { email: string } };
  decision: "approve" | "ban";
}

interface DecideAppProps {
  asked: AppDecision | null;
  opened: boolean;
  onClose: () => void;
}

/** Approves an app, or bans it with a reason that its owner sees, whatever was decided before. */
export function DecideApp({ asked, opened, onClose }: DecideAppProps) {
  const moderate = useModerateApp();
  const bans = asked?.decision === "ban";
  const action = bans ? "Ban app" : "Approve app";
  return (
    <Modal opened={opened} onClose={onClose} title={action}>
      {asked ? (
        <DecisionForm
          about={bans ? `${asked.app.name} will get no ads.` : `${asked.app.name} will get ads.`}
          ownerEmail={asked.app.owner.email}
          refuses={bans}
          action={action}
          done={bans ? `${asked.app.name} is banned` : `${asked.app.name} is approved`}
          decide={(reason) => moderate.mutateAsync({ id: asked.app.uuid, decision: asked.decision, reason })}
          onDone={onClose}
        />
      ) : null}
    </Modal>
  );
}
