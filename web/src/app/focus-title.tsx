import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/** Focuses the heading after a navigation, so that keyboards and screen readers start there. */
export function FocusTitle() {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
      }),
    [router],
  );
  return null;
}
