import { Button } from "@mantine/core";
import { Modal } from "../../ui/modal/modal.tsx";
import { PATHS } from "../paths.ts";
import classes from "./leave-question.module.css";

export interface LeaveQuestionProps {
  /** Whether the session has ended: what is on the page can be saved once the user has signed in elsewhere. */
  hasEnded: boolean;
  onStay: () => void;
  onLeave: () => void;
}

/** Whether a page, or a dialog on it, is left with unsaved changes. */
export const LeaveQuestion = ({ hasEnded, ...answers }: LeaveQuestionProps) =>
  hasEnded ? <SessionEnded {...answers} /> : <Leaving {...answers} />;

type Answers = Omit<LeaveQuestionProps, "hasEnded">;

const Leaving = ({ onStay, onLeave }: Answers) => (
  <Modal opened onClose={onStay} title="Leave without saving?" overlayCloses>
    <p className={classes.asked}>Your changes are not saved, and would be lost.</p>
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

/** Wide enough for its three buttons in one row. */
const ENDED_WIDTH = 560;

const SessionEnded = ({ onStay, onLeave }: Answers) => (
  <Modal opened onClose={onStay} title="Your session has ended" overlayCloses width={ENDED_WIDTH}>
    <p className={classes.asked}>
      Your changes on this page are not saved. To keep them, use another tab to log in, then come back and save them
      here.
    </p>
    <div className={classes.buttons}>
      <Button component="a" href={PATHS.login} target="_blank" onClick={onStay} data-autofocus>
        Open the login in a new tab
      </Button>
      <Button variant="default" onClick={onStay}>
        Stay here
      </Button>
      <Button variant="subtle" onClick={onLeave}>
        Leave and log in
      </Button>
    </div>
  </Modal>
);
