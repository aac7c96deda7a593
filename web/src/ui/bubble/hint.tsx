import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import classes from "./hint.module.css";

const GAP_PX = 5;
const EDGE_PX = 8;

/** Shows a popover under its anchor, above it where there is no room, and never beyond the window's sides. */
function placeBelow(popover: HTMLElement, anchor: HTMLElement): void {
  // Not in every test environment: there it stands where it is written.
  popover.showPopover?.();
  const at = anchor.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const below = at.bottom + GAP_PX;
  const fits = below + height <= window.innerHeight - EDGE_PX;
  popover.style.top = `${fits ? below : Math.max(EDGE_PX, at.top - GAP_PX - height)}px`;
  popover.style.left = `${Math.max(EDGE_PX, Math.min(at.left, window.innerWidth - EDGE_PX - width))}px`;
}

interface HintProps {
  /** What the hint says; it may hold a link. */
  hint: ReactNode;
  /** The box of the whole, where it is not as wide as its text. */
  className?: string | undefined;
  children: (described: { "aria-describedby": string | undefined }) => ReactNode;
}

const CLOSE_MS = 120;

/**
 * Shows more about what stands in it, on hover and on focus, and keeps it while the pointer is on it. Escape closes it. It
 * stands in the browser's top layer, so that no scrolling box cuts it off.
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
