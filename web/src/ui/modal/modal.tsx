import "@mantine/core/styles/Overlay.layer.css";
import "@mantine/core/styles/Paper.layer.css";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/core/styles/ModalBase.layer.css";
import "@mantine/core/styles/Modal.layer.css";
import { Modal as Dialog } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { type ReactNode, useCallback, useEffect, useRef } from "react";
import classes from "./modal.module.css";

interface ModalProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** The width in pixels, if there is room. */
  width?: number;
  /** False for a dialog that requires an answer: Escape, the overlay and a close button do not close it. */
  closable?: boolean;
  /** A click outside closes it, too. Not for a dialog with fields, whose input it would discard. */
  overlayCloses?: boolean;
  /** While another dialog is open over this one, Escape closes only that. */
  covered?: boolean;
  children: ReactNode;
}

/** A dialog over the page. It traps the focus, closes on Escape, and then restores the focus. */
export function Modal(props: ModalProps) {
  const {
    opened,
    onClose,
    title,
    width = 420,
    closable = true,
    overlayCloses = false,
    covered = false,
    children,
  } = props;
  // The focus is remembered when the dialog changes from closed to open, so it never starts open.
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
      closeOnEscape={closable && !covered}
      closeOnClickOutside={closable && overlayCloses}
      // The library's scroll lock writes a style without our nonce.
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
 * Restores the focus in cases that the library does not handle: when the dialog is unmounted, and when the element that
 * had the focus no longer exists, such as a button of a deleted row. Then the page's heading gets the focus. Returns a
 * function to call after the dialog has faded out.
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
    // The dialog has the focus until it has faded out.
    return giveBack;
  }, [opened, giveBack]);
  return giveBack;
}

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
