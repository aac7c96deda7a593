import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useErrorWords } from "../states/error-words.tsx";
import { Modal } from "./modal.tsx";
import classes from "./modal.module.css";

interface ConfirmModalProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, and what cannot be undone. */
  children: ReactNode;
  /** What the button does: `Delete campaign`. */
  confirm: string;
  /** Does it; a failure is shown in the dialog, which stays open. */
  onConfirm: () => Promise<unknown>;
}

/** Asks before something is taken away. The dialog closes once it is done. */
export function ConfirmModal({ opened, onClose, title, children, confirm, onConfirm }: ConfirmModalProps) {
  const words = useErrorWords();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const close = () => {
    setError(null);
    onClose();
  };
  const run = async () => {
    setPending(true);
    setError(null);
    try {
      await onConfirm();
      close();
    } catch (failure) {
      setError(words.plain(failure));
    } finally {
      setPending(false);
    }
  };
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <div className={classes.text}>{children}</div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        <Button color="var(--danger-fill)" loading={pending} onClick={() => void run()}>
          {confirm}
        </Button>
      </div>
      <p className={classes.error} role="alert">
        {error}
      </p>
    </Modal>
  );
}
