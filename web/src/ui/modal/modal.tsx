import "@mantine/core/styles/Overlay.layer.css";
import "@mantine/core/styles/Paper.layer.css";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/core/styles/ModalBase.layer.css";
import "@mantine/core/styles/Modal.layer.css";
import { Modal as Dialog } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { type ReactNode, useEffect, useRef } from "react";
import { Unsaved, useDialogHolder } from "../form/unsaved.ts";
import classes from "./modal.module.css";
import { useFocusBack } from "./use-focus-back.ts";

interface ModalProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** The width in pixels, if there is room. */
  width?: number;
  /** False for a dialog that requires an answer: Escape, the overlay and a close button do not close it. */
  closable?: boolean;
  /** A click outside closes it, too. */
  overlayCloses?: boolean;
  children: ReactNode;
}

/**
 * A dialog over the page. It traps the focus, closes on Escape, and then restores the focus. If a form in it has unsaved changes,
 * every way to close it asks first.
 */
export function Modal(props: ModalProps) {
  const { opened, onClose, title, width = 420, closable = true, overlayCloses = false, children } = props;
  // The focus is remembered when the dialog changes from closed to open, so it never starts open.
  const mounted = useMounted();
  useLockedPage(opened);
  const giveFocusBack = useFocusBack(opened);
  const holder = useDialogHolder();
  const content = useRef<HTMLDivElement>(null);
  const close = () => {
    // Of several dialogs, Escape closes only the topmost.
    if (isOnTop(content.current)) holder.close(onClose);
  };
  return (
    <Dialog.Root
      opened={opened && mounted}
      onClose={close}
      onExitTransitionEnd={giveFocusBack}
      size={width}
      centered
      closeOnEscape={closable}
      closeOnClickOutside={closable && overlayCloses}
      // The library's scroll lock writes a style without our nonce.
      lockScroll={false}
      transitionProps={{ duration: 140, transition: "fade" }}
      classNames={{ content: classes.content, inner: classes.inner }}
    >
      {/* A click outside leaves the focus in the dialog, which may stay. */}
      <Dialog.Overlay className={classes.overlay} onMouseDown={(event) => event.preventDefault()} />
      <Dialog.Content ref={content}>
        <div className={classes.head}>
          <Dialog.Title className={classes.title}>{title}</Dialog.Title>
          {closable ? <Dialog.CloseButton aria-label="Close" /> : null}
        </div>
        <Dialog.Body className={classes.body}>
          <Unsaved value={holder}>{children}</Unsaved>
        </Dialog.Body>
      </Dialog.Content>
    </Dialog.Root>
  );
}

const isOnTop = (dialog: HTMLElement | null): boolean =>
  [...document.querySelectorAll("[aria-modal=true]")].at(-1) === dialog;

/**
 * Keeps the page behind a dialog from scrolling. The width of its scrollbar is reserved, so that nothing jumps. Closes
 * open popovers, which the browser's top layer would show above the dialog.
 */
function useLockedPage(locked: boolean): void {
  useEffect(() => {
    if (!locked) return undefined;
    for (const panel of document.querySelectorAll<HTMLElement>("[popover=auto]")) panel.hidePopover?.();
    const { style, clientWidth } = document.documentElement;
    const before = { overflow: style.overflow, gutter: style.scrollbarGutter };
    if (window.innerWidth > clientWidth) style.scrollbarGutter = "stable";
    style.overflow = "hidden";
    return () => {
      style.overflow = before.overflow;
      style.scrollbarGutter = before.gutter;
    };
  }, [locked]);
}
