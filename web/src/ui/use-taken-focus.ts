import { type RefObject, useEffect, useRef } from "react";

/** For what takes the place of something that had the focus: it takes the focus too, at once or when `takes` turns true. */
export function useTakenFocus<E extends HTMLElement>(takes = true): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (takes) element.current?.focus();
  }, [takes]);
  return element;
}
