import { Modal as Dialog } from "@mantine/core";
import "@mantine/core/styles/Overlay.css";
import "@mantine/core/styles/Paper.css";
import "@mantine/core/styles/CloseButton.css";
import "@mantine/core/styles/ModalBase.css";
import "@mantine/core/styles/Modal.css";
import { useMounted } from "@mantine/hooks";
import type { ReactNode } from "react";
import classes from "./modal.module.css";
import { useFocusBack } from "./use-focus-back.ts";
import { useLockedPage } from "./use-locked-page.ts";

interface ModalProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Width in pixels, where there is room. */
  width?: number;
  /** False for what must be answered: then neither Escape nor the overlay nor a cross closes it. */
  closable?: boolean;
  /** False where a click beside the dialog must not take away what is begun in it. */
  overlayCloses?: boolean;
  children: ReactNode;
}

/** A dialog over the page: it holds the focus, Escape closes it, and the focus goes back to where it was. */
export function Modal(props: ModalProps) {
  const { opened, onClose, title, width = 420, closable = true, overlayCloses = true, children } = props;
  // It remembers what had the focus when it turns from closed to open, so it never starts open.
  const mounted = useMounted();
  useLockedPage(opened);
  const giveFocusBack = useFocusBack(opened);
  return (
    <Dialog.Root
      opened={opened && mounted}
      onClose={onClose}
      onExitTransitionEnd={giveFocusBack}
      size={width}
      centered
      closeOnEscape={closable}
      closeOnClickOutside={closable && overlayCloses}
      // The library that locks the page behind writes a style without our nonce.
      lockScroll={false}
      transitionProps={{ duration: 140, transition: "fade" }}
      classNames={{ content: classes.content, inner: classes.inner }}
    >
      <Dialog.Overlay className={classes.overlay} />
      <Dialog.Content>
        <div className={classes.head}>
          <Dialog.Title className={classes.title}>{title}</Dialog.Title>
          {closable ? <Dialog.CloseButton aria-label="Close" /> : null}
        </div>
        <Dialog.Body className={classes.body}>{children}</Dialog.Body>
      </Dialog.Content>
    </Dialog.Root>
  );
}
