import { type RefObject, useEffect, useRef } from "react";

/** Focuses an element that replaces a focused one, immediately or once `takes` is true. */
export function useTakenFocus<E extends HTMLElement>(takes = true): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (takes) element.current?.focus();
  }, [takes]);
  return element;
}
