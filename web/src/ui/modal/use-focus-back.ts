import { useCallback, useEffect, useRef } from "react";

/**
 * Gives the focus back after a dialog, where its library does not: when the dialog goes away with all that holds it, and
 * when what had the focus before is gone, as the button of a row that was deleted. Then it goes to the page's heading.
 * Returns what to do once the dialog has faded away.
 */
export function useFocusBack(opened: boolean): () => void {
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
