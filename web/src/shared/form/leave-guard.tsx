import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, Suspense, lazy, useMemo, useState } from "react";
import { type Holder, Unsaved } from "../../ui/form/unsaved.ts";
import { PATHS } from "../paths.ts";

const loadQuestion = () => import("./leave-question.tsx");

// A dialog is as large as a page, and most visits never ask.
const LeaveQuestion = lazy(async () => ({ default: (await loadQuestion()).LeaveQuestion }));

/** The first part of a route's id names its frame: `/private/apps`. */
const frameOf = (routeId: string): string | undefined => routeId.split("/", 2)[1];

/**
 * Asks before the text of any form within it is lost: when the page is left by a link, by the end of the session or by closing the
 * window, and when a dialog is closed.
 */
export function LeaveGuard({ children }: { children: ReactNode }) {
  /** The forms with unsaved changes, and whether they last. */
  const [dirty] = useState(() => new Map<string, boolean>());
  const [asked, setAsked] = useState<{ leave: () => void } | null>(null);
  const holder = useMemo<Holder>(
    () => ({
      report: (form, isDirty, lasting) => {
        if (!isDirty) return dirty.delete(form);
        // The connection may be gone by the time of the question.
        loadQuestion().catch(() => undefined);
        return dirty.set(form, lasting);
      },
      ask: (leave) => setAsked({ leave }),
      close: (act) => act(),
    }),
    [dirty],
  );
  const { status, next, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      [...dirty.values()].some((lasts) =>
        // The page's own filters are no reason to ask.
        lasts ? frameOf(current.routeId) !== frameOf(next.routeId) : current.pathname !== next.pathname,
      ),
    enableBeforeUnload: () => dirty.size > 0,
    withResolver: true,
  });
  const question =
    status === "blocked"
      ? // A signed-in user is led to the sign-in only when the session has ended.
        { hasEnded: next.pathname === PATHS.login, onStay: reset, onLeave: proceed }
      : asked && {
          hasEnded: false,
          onStay: () => setAsked(null),
          onLeave: () => {
            setAsked(null);
            asked.leave();
          },
        };
  return (
    <Unsaved value={holder}>
      {children}
      {/* Mounted anew each time: a question that is there already would hear the Escape that asks it. */}
      {question ? (
        <Suspense>
          <LeaveQuestion {...question} />
        </Suspense>
      ) : null}
    </Unsaved>
  );
}
