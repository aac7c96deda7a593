import { Button } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, createContext, useContext, useEffect, useId, useMemo, useState } from "react";
import { Modal } from "../../ui/modal/modal.tsx";
import classes from "./leave-guard.module.css";

/** Reports whether a form has unsaved changes. */
type Report = (form: string, dirty: boolean) => void;

const Context = createContext<Report | null>(null);

/** Asks before a page with unsaved changes is left, by a link or by closing the window. */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const [dirty, setDirty] = useState<ReadonlySet<string>>(new Set());
  const report = useMemo<Report>(
    () => (form, isDirty) =>
      setDirty((before) => {
        if (before.has(form) === isDirty) return before;
        const after = new Set(before);
        if (isDirty) after.add(form);
        else after.delete(form);
        return after;
      }),
    [],
  );
  const isDirty = dirty.size > 0;
  const { status, proceed, reset } = useBlocker({
    // The page's own filters are no reason to ask.
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  return (
    <Context value={report}>
      {children}
      <Modal opened={status === "blocked"} onClose={() => reset?.()} title="Leave without saving?">
        <p className={classes.asked}>Your changes on this page are not saved, and would be lost.</p>
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => reset?.()} data-autofocus>
            Stay here
          </Button>
          <Button color="var(--danger-fill)" onClick={() => proceed?.()}>
            Leave
          </Button>
        </div>
      </Modal>
    </Context>
  );
}

/** Tells the page's guard about a form's unsaved changes. */
export function useUnsaved(dirty: boolean): void {
  const report = useContext(Context);
  const form = useId();
  useEffect(() => {
    report?.(form, dirty);
    return () => report?.(form, false);
  }, [report, form, dirty]);
}
