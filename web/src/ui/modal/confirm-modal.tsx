import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useNotify } from "../notify/notify.tsx";
import { useErrorWords } from "../states/error-words.tsx";
import { WorkButton } from "../work-button.tsx";
import { Modal } from "./modal.tsx";
import classes from "./modal.module.css";

interface ConfirmModalProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Explains what will happen and what cannot be undone. */
  children: ReactNode;
  /** The button's label: `Delete campaign`. */
  confirm: string;
  /** Performs the action. A failure is shown in the dialog, which stays open. */
  onConfirm: () => Promise<unknown>;
}

/** Asks for confirmation before a destructive action. Closes once the action is done. */
export function ConfirmModal({ opened, onClose, title, ...question }: ConfirmModalProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} overlayCloses>
      <Question {...question} opened={opened} onClose={onClose} />
    </Modal>
  );
}

/** Reset whenever the dialog opens again. */
function Question({ opened, onClose, children, confirm, onConfirm }: Omit<ConfirmModalProps, "title">) {
  const words = useErrorWords();
  const { tell } = useNotify();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isOpen = useRef(opened);
  useEffect(() => {
    isOpen.current = opened;
    return () => {
      isOpen.current = false;
    };
  }, [opened]);
  const run = async () => {
    setPending(true);
    setError(null);
    try {
      await onConfirm();
      if (isOpen.current) onClose();
    } catch (failure) {
      const sentence = words.plain(failure);
      // The user may have closed the dialog in the meantime and must still see the failure.
      if (isOpen.current) setError(sentence);
      else tell(sentence, "failed");
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      <div className={classes.text}>{children}</div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <WorkButton color="var(--danger-fill)" working={pending} onClick={() => void run()}>
          {confirm}
        </WorkButton>
      </div>
      <p className={classes.error} role="alert">
        {error}
      </p>
    </>
  );
}
