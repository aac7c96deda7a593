import "@mantine/core/styles/Overlay.css";
import "@mantine/core/styles/Paper.css";
import "@mantine/core/styles/CloseButton.css";
import "@mantine/core/styles/ModalBase.css";
import "@mantine/core/styles/Modal.css";
import { Modal as Dialog } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { type ReactNode, useCallback, useEffect, useRef } from "react";
import classes from "./modal.module.css";

interface ModalProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Width in pixels, where there is room. */
  width?: number;
  /** False for what must be answered: then neither Escape nor the overlay nor a cross closes it. */
  closable?: boolean;
  /** False if a click outside must not discard what was begun in the dialog. */
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

/**
 * Gives the focus back after a dialog, where its library does not: when the dialog goes away with all that holds it, and
 * when what had the focus before is gone, as the button of a row that was deleted. Then it goes to the page's heading.
 * Returns what to do once the dialog has faded away.
 */
function useFocusBack(opened: boolean): () => void {
  const before = useRef<Element | null>(null);
  const giveBack = useCallback(() => {
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const there = before.current instanceof HTMLElement && before.current.isConnected ? before.current : null;
    (there ?? document.querySelector<HTMLElement>("h1"))?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (!opened) return undefined;
    before.current = document.activeElement;
    // While it fades away, it still has the focus.
    return giveBack;
  }, [opened, giveBack]);
  return giveBack;
}

/**
 * Keeps the page behind a dialog from scrolling; where it had a scrollbar, the bar's place is kept, so that nothing jumps.
 * A panel that is open there would stand above the dialog, as the browser's top layer has it: it closes.
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
