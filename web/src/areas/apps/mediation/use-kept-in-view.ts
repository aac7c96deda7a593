import { type RefObject, useEffect } from "react";

/** A page that has not settled by then is read already. */
const SETTLES_WITHIN_MS = 10_000;
const OWN_WAYS = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** Scrolls to a part of the page, and again whenever content that loads above moves it, until the user interacts. */
export function useKeptInView(part: RefObject<HTMLElement | null>, isAsked: boolean): void {
  useEffect(() => {
    if (!isAsked) return undefined;
    const show = () => part.current?.scrollIntoView({ block: "center" });
    show();
    const observer = new ResizeObserver(show);
    observer.observe(document.body);
    const leave = () => observer.disconnect();
    const timer = setTimeout(leave, SETTLES_WITHIN_MS);
    for (const way of OWN_WAYS) window.addEventListener(way, leave, { once: true, passive: true });
    return () => {
      leave();
      clearTimeout(timer);
      for (const way of OWN_WAYS) window.removeEventListener(way, leave);
    };
  }, [part, isAsked]);
}
