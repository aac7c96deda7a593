import { type BlockerFn, type HistoryLocation, type RegisteredRouter, useRouter } from "@tanstack/react-router";
import { type ReactNode, Suspense, lazy, useEffect, useMemo, useState } from "react";
import { type Holder, Unsaved } from "../../ui/form/unsaved.ts";
import { PATHS } from "../paths.ts";
import { hasGivenWay } from "../signed-in-as.ts";
import type { LeaveQuestionProps } from "./leave-question.tsx";

// Most visits change nothing. Loaded with the first change: the connection may be gone by the time of the question.
const loadQuestion = () => import("./leave-question.tsx");
const LeaveQuestion = lazy(async () => ({
  default: (await loadQuestion().catch(() => null))?.LeaveQuestion ?? Unasked,
}));

/** Without a connection there is no question, and whoever leaves must get away all the same. */
function Unasked({ onLeave }: LeaveQuestionProps) {
  useEffect(onLeave, [onLeave]);
  return null;
}

/**
 * Asks before the text of any form within it is lost: when the page is left by a link, by the end of the session or by closing the
 * window, and when a dialog is closed.
 */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [question, setQuestion] = useState<LeaveQuestionProps | null>(null);
  const watch = useMemo(() => watchLeaving(router, setQuestion), [router]);
  useEffect(() => watch.stop, [watch]);
  return (
    <Unsaved value={watch.holder}>
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

/** Holds forms, and blocks the ways out of their pages from the first change on. */
function watchLeaving(router: RegisteredRouter, show: (question: LeaveQuestionProps | null) => void) {
  /** The forms with unsaved changes, and whether they last. */
  const dirty = new Map<string, boolean>();
  let unblock: (() => void) | undefined;
  const ask = (hasEnded: boolean): Promise<boolean> =>
    new Promise((answer) => {
      const answered = (leaves: boolean) => () => {
        show(null);
        answer(leaves);
      };
      show({ hasEnded, onStay: answered(false), onLeave: answered(true) });
    });
  const block = () =>
    router.history.block({
      enableBeforeUnload: () => !hasGivenWay(),
      blockerFn: async ({ currentLocation: from, nextLocation: to }: Parameters<BlockerFn>[0]) => {
        const isLost = [...dirty.values()].some((lasts) =>
          // The page's own filters are no reason to ask.
          lasts ? frameOf(router, from) !== frameOf(router, to) : from.pathname !== to.pathname,
        );
        // A signed-in user is led to the sign-in only when the session has ended.
        return isLost && !(await ask(to.pathname === PATHS.login));
      },
    });
  const stop = () => {
    unblock?.();
    unblock = undefined;
  };
  const holder: Holder = {
    report(form, isDirty, lasting) {
      if (isDirty) dirty.set(form, lasting);
      else dirty.delete(form);
      if (dirty.size === 0) return stop();
      if (unblock) return;
      unblock = block();
      loadQuestion().catch(() => undefined);
    },
    ask: (leave) => void ask(false).then((leaves) => leaves && leave()),
    close: (act) => act(),
    watch: () => {
      const { pathname } = router.history.location;
      return () => router.history.location.pathname !== pathname;
    },
  };
  return { holder, stop };
}

/** The first part of a route's id names its frame: `/private/apps`. */
function frameOf(router: RegisteredRouter, location: HistoryLocation): string | undefined {
  const { pathname } = router.parseLocation(location);
  const [, , route] = router.getMatchedRoutes(pathname) as readonly [unknown, unknown, { id: string } | undefined];
  return route?.id.split("/", 2)[1];
}
