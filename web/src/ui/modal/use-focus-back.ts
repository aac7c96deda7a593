import { useCallback, useEffect, useRef } from "react";

/**
 * Restores the focus in cases that the library does not handle: when the dialog is unmounted, and when the element that
 * had the focus no longer exists, such as a button of a deleted row, even if it is removed only after the dialog has closed.
 * Then a button of its row or list gets the focus, otherwise its table, otherwise the page's heading. Returns a function to
 * call after the dialog has faded out.
 */
export function useFocusBack(opened: boolean): () => void {
  const before = useRef<Place | null>(null);
  const giveBack = useCallback(() => {
    if (before.current === null) return;
    if (isLost()) focusAt(before.current);
    watch(before.current);
  }, []);
  useEffect(() => {
    if (!opened) return undefined;
    before.current = placeOf(document.activeElement);
    // The dialog has the focus until it has faded out.
    return giveBack;
  }, [opened, giveBack]);
  return giveBack;
}

/** Where the focus was. A removed element no longer knows what it was in. */
interface Place {
  element: HTMLElement;
  row: Element | null;
  list: Element | null;
  table: HTMLElement | null;
  /** Another dialog, which restores the focus itself once it closes. */
  dialog: HTMLElement | null;
}

function placeOf(element: Element | null): Place | null {
  if (!(element instanceof HTMLElement)) return null;
  return {
    element,
    row: element.closest("tr, li"),
    list: element.closest("ul, ol"),
    table: element.closest<HTMLElement>("[role=region][tabindex]"),
    dialog: element.closest<HTMLElement>("[aria-modal=true]"),
  };
}

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

function focusAt({ element, row, list, table, dialog }: Place): void {
  const above = dialog ?? document.querySelector<HTMLElement>("h1");
  for (const each of [element, firstIn(row), firstIn(list), table, above]) {
    if (each?.isConnected !== true || each === document.body) continue;
    each.focus({ preventScroll: true });
    if (!isLost()) return;
  }
}

const firstIn = (place: Element | null) => place?.querySelector<HTMLElement>("button, a[href]");

let stopWatching: () => void = () => undefined;

/** Moves the focus on if its element is removed, until the user moves it. */
function watch(place: Place): void {
  stopWatching();
  if (document.activeElement !== place.element) return;
  const observer = new MutationObserver(() => {
    if (place.element.isConnected) return;
    stopWatching();
    if (isLost()) focusAt(place);
  });
  stopWatching = () => {
    observer.disconnect();
    document.removeEventListener("focusin", stopWatching);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("focusin", stopWatching);
}
