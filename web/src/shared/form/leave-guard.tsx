import { type ReactNode, Suspense, lazy, useEffect, useMemo, useState } from "react";
import { type Holder, Unsaved } from "../../ui/form/unsaved.ts";
import type { LeaveWatchProps } from "./leave-watch.tsx";

// Most visits change nothing. Loaded with the first change: the connection may be gone by the time of the question.
const LeaveWatch = lazy(async () => {
  const loaded = await import("./leave-watch.tsx").catch(() => null);
  return { default: loaded?.LeaveWatch ?? Unwatched };
});

/** Without a connection there is no question, and a dialog must close all the same. */
function Unwatched({ asked, onAnswered }: LeaveWatchProps) {
  useEffect(() => {
    if (asked === null) return;
    onAnswered();
    asked.leave();
  }, [asked, onAnswered]);
  return null;
}

/**
 * Asks before the text of any form within it is lost: when the page is left by a link, by the end of the session or by closing the
 * window, and when a dialog is closed.
 */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const [dirty] = useState(() => new Map<string, boolean>());
  const [watches, setWatches] = useState(false);
  const [asked, setAsked] = useState<LeaveWatchProps["asked"]>(null);
  const holder = useMemo<Holder>(
    () => ({
      report: (form, isDirty, lasting) => {
        if (!isDirty) return dirty.delete(form);
        setWatches(true);
        return dirty.set(form, lasting);
      },
      ask: (leave) => setAsked({ leave }),
      close: (act) => act(),
    }),
    [dirty],
  );
  return (
    <Unsaved value={holder}>
      {children}
      {watches ? (
        <Suspense>
          <LeaveWatch dirty={dirty} asked={asked} onAnswered={() => setAsked(null)} />
        </Suspense>
      ) : null}
    </Unsaved>
  );
}
