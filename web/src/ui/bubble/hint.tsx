import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import classes from "./hint.module.css";

const GAP_PX = 5;
const EDGE_PX = 8;

/** Positions a popover below its anchor, or above it if there is no room, and within the sides of the window. */
function placeBelow(popover: HTMLElement, anchor: HTMLElement): void {
  // Missing in some test environments, which leave it in place.
  popover.showPopover?.();
  const at = anchor.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const below = at.bottom + GAP_PX;
  const fits = below + height <= window.innerHeight - EDGE_PX;
  popover.style.top = `${fits ? below : Math.max(EDGE_PX, at.top - GAP_PX - height)}px`;
  popover.style.left = `${Math.max(EDGE_PX, Math.min(at.left, window.innerWidth - EDGE_PX - width))}px`;
}

interface HintProps {
  /** The content of the hint; it may contain a link. */
  hint: ReactNode;
  /** A class for the wrapper, if it should not shrink to its text. */
  className?: string | undefined;
  children: (described: { "aria-describedby": string | undefined }) => ReactNode;
}

const CLOSE_MS = 120;

/**
 * Explains its content on hover and focus, and stays open while the pointer is over the hint. Escape closes it. It is
 * in the browser's top layer, so that no scrolling container clips it.
 */
export function Hint({ hint, className, children }: HintProps) {
  const id = useId();
  const box = useRef<HTMLSpanElement>(null);
  const bubble = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);

  const show = () => {
    clearTimeout(closing.current);
    setOpen(true);
  };
  const hideSoon = () => {
    clearTimeout(closing.current);
    closing.current = setTimeout(() => setOpen(false), CLOSE_MS);
  };
  useEffect(() => () => clearTimeout(closing.current), []);
  useEffect(() => {
    if (open && box.current && bubble.current) placeBelow(bubble.current, box.current);
  }, [open]);
  useEffect(() => {
    if (!open) return undefined;
    const hide = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key === "Escape") setOpen(false);
    };
    document.addEventListener("keydown", hide);
    window.addEventListener("scroll", hide, { capture: true, passive: true });
    return () => {
      document.removeEventListener("keydown", hide);
      window.removeEventListener("scroll", hide, { capture: true });
    };
  }, [open]);

  return (
    <span
      ref={box}
      className={className ?? classes.box}
      onPointerEnter={show}
      onPointerLeave={hideSoon}
      onFocus={show}
      onBlur={hideSoon}
    >
      {children({ "aria-describedby": open ? id : undefined })}
      {open ? (
        <span ref={bubble} id={id} role="tooltip" popover="manual" className={classes.bubble}>
          {hint}
        </span>
      ) : null}
    </span>
  );
}
