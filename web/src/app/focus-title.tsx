import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/** After a change of page the focus goes to its heading, so that the keyboard and a screen reader start there. */
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
