import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, Suspense, createContext, lazy, useContext, useEffect, useId, useMemo, useState } from "react";
import { PATHS } from "../paths.ts";

/** Reports whether a form has unsaved changes. */
type Report = (form: string, dirty: boolean) => void;

const Context = createContext<Report | null>(null);

// A dialog is as large as a page, and most visits never ask.
const LeaveQuestion = lazy(async () => ({ default: (await import("./leave-question.tsx")).LeaveQuestion }));

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
  const { status, next, proceed, reset } = useBlocker({
    // The page's own filters are no reason to ask.
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  // Stays while it fades out.
  const [asked, setAsked] = useState<"leave" | "ended" | null>(null);
  // A signed-in user is led to the sign-in only when the session has ended.
  const asks = next?.pathname === PATHS.login ? "ended" : "leave";
  if (status === "blocked" && asked !== asks) setAsked(asks);
  return (
    <Context value={report}>
      {children}
      {asked ? (
        <Suspense>
          <LeaveQuestion
            opened={status === "blocked"}
            hasEnded={asked === "ended"}
            onStay={() => reset?.()}
            onLeave={() => proceed?.()}
          />
        </Suspense>
      ) : null}
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
