import { useBlocker } from "@tanstack/react-router";
import { PATHS } from "../paths.ts";
import { hasGivenWay } from "../signed-in-as.ts";
import { LeaveQuestion } from "./leave-question.tsx";

export interface LeaveWatchProps {
  /** The forms with unsaved changes, and whether they last. */
  dirty: ReadonlyMap<string, boolean>;
  /** What a dialog asks to do. */
  asked: { leave: () => void } | null;
  onAnswered: () => void;
}

/** The first part of a route's id names its frame: `/private/apps`. */
const frameOf = (routeId: string): string | undefined => routeId.split("/", 2)[1];

/** Blocks the ways out of a page while forms have unsaved changes, and asks. */
export function LeaveWatch({ dirty, asked, onAnswered }: LeaveWatchProps) {
  const { status, next, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      [...dirty.values()].some((lasts) =>
        // The page's own filters are no reason to ask.
        lasts ? frameOf(current.routeId) !== frameOf(next.routeId) : current.pathname !== next.pathname,
      ),
    enableBeforeUnload: () => dirty.size > 0 && !hasGivenWay(),
    withResolver: true,
  });
  const question =
    status === "blocked"
      ? // A signed-in user is led to the sign-in only when the session has ended.
        { hasEnded: next.pathname === PATHS.login, onStay: reset, onLeave: proceed }
      : asked && {
          hasEnded: false,
          onStay: onAnswered,
          onLeave: () => {
            onAnswered();
            asked.leave();
          },
        };
  // Mounted anew each time: a question that is there already would hear the Escape that asks it.
  return question && <LeaveQuestion {...question} />;
}
