import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import classes from "./hint.module.css";
import { placeBelow } from "./place-below.ts";

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
