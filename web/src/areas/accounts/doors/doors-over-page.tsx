import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense, lazy, useState } from "react";
import { doorOf } from "./door.ts";

const Dialog = lazy(async () => ({ default: (await import("./door-dialog.tsx")).DoorDialog }));

/**
 * The doors as dialogs over the page: which one is open stands in its address (`?door=login`), so that Back closes it and a
 * link can open it. The forms are loaded when the first one is.
 */
export function DoorsOverPage() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const door = doorOf(search["door"]);
  const [wasOpen, setWasOpen] = useState(false);
  if (door !== null && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  const close = () => {
    const without = (before: object) => ({ ...before, door: undefined });
    void navigate({ to: ".", search: without as never, replace: true, resetScroll: false });
  };
  return (
    <Suspense>
      <Dialog door={door} onClose={close} />
    </Suspense>
  );
}
