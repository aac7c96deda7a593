import { type RefObject, useEffect } from "react";

/** A page that has not settled by then is read already. */
const SETTLES_WITHIN_MS = 10_000;
const INTERACTIONS = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** Scrolls to a part of the page, and again whenever content that loads above moves it, until the user interacts. */
export function useScrollIntoView(part: RefObject<HTMLElement | null>, isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return undefined;
    const show = () => part.current?.scrollIntoView({ block: "center" });
    show();
    const observer = new ResizeObserver(show);
    observer.observe(document.body);
    const leave = () => observer.disconnect();
    const timer = setTimeout(leave, SETTLES_WITHIN_MS);
    for (const type of INTERACTIONS) window.addEventListener(type, leave, { once: true, passive: true });
    return () => {
      leave();
      clearTimeout(timer);
      for (const type of INTERACTIONS) window.removeEventListener(type, leave);
    };
  }, [part, isActive]);
}
