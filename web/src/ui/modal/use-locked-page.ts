import { useEffect } from "react";

/**
 * Keeps the page behind a dialog from scrolling; where it had a scrollbar, the bar's place is kept, so that nothing jumps.
 * A panel that is open there would stand above the dialog, as the browser's top layer has it: it closes.
 */
export function useLockedPage(locked: boolean): void {
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
