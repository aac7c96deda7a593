import { useEffect } from "react";

/** Keeps the page behind a dialog from scrolling; where it had a scrollbar, the bar's place is kept, so that nothing jumps. */
export function useLockedPage(locked: boolean): void {
  useEffect(() => {
    if (!locked) return undefined;
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
