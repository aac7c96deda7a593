import { Button } from "@mantine/core";
import { Modal } from "../../ui/modal/modal.tsx";
import { PATHS } from "../paths.ts";
import classes from "./leave-question.module.css";

interface LeaveQuestionProps {
  opened: boolean;
  /** Whether the session has ended: what is on the page can be saved once the user has signed in elsewhere. */
  hasEnded?: boolean;
  onStay: () => void;
  onLeave: () => void;
}

/** Whether a page, or a dialog on it, is left with unsaved changes. */
export function LeaveQuestion({ opened, hasEnded = false, onStay, onLeave }: LeaveQuestionProps) {
  return (
    <Modal
      opened={opened}
      onClose={onStay}
      title={hasEnded ? "Your session has ended" : "Leave without saving?"}
      overlayCloses
    >
      <p className={classes.asked}>
        {hasEnded
          ? "Your changes on this page are not saved. To keep them, sign in in another tab, come back and save them here."
          : "Your changes are not saved, and would be lost."}
      </p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onStay} data-autofocus>
          Stay here
        </Button>
        <Button color="var(--danger-fill)" onClick={onLeave}>
          {hasEnded ? "Leave and log in" : "Leave"}
        </Button>
        {hasEnded ? (
          <Button component="a" href={PATHS.login} target="_blank" onClick={onStay}>
            Log in in another tab
          </Button>
        ) : null}
      </div>
    </Modal>
  );
}
