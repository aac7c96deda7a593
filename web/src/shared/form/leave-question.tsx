import { Button } from "@mantine/core";
import { Modal } from "../../ui/modal/modal.tsx";
import classes from "./leave-question.module.css";

interface LeaveQuestionProps {
  opened: boolean;
  onStay: () => void;
  onLeave: () => void;
}

/** Whether a page with unsaved changes is left. */
export function LeaveQuestion({ opened, onStay, onLeave }: LeaveQuestionProps) {
  return (
    <Modal opened={opened} onClose={onStay} title="Leave without saving?" overlayCloses>
      <p className={classes.asked}>Your changes on this page are not saved, and would be lost.</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onStay} data-autofocus>
          Stay here
        </Button>
        <Button color="var(--danger-fill)" onClick={onLeave}>
          Leave
        </Button>
      </div>
    </Modal>
  );
}
