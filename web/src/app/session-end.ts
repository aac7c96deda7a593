import type { QueryClient } from "@tanstack/react-query";
import { forgetLogin, forgetSession } from "../areas/accounts/index.ts";
import { PATHS } from "../shared/paths.ts";
import { type Router, isPrivate } from "./router.tsx";

export interface SessionEnd {
  /**
   * A call was refused because nobody is signed in: leads to the sign-in, which returns to this page afterwards. A user with unsaved
   * changes may stay; after that, only an attempt to change something leads there again. If the router is already navigating to a
   * public page, that navigation wins.
   */
  refused(by: "query" | "mutation"): void;
  /** A call was answered: the user has signed in again, in another tab. */
  answered(): void;
}

export function sessionEnd(router: Router, queryClient: QueryClient): SessionEnd {
  let hasEnded = false;
  // Not before: who stays on the page still sees it.
  router.subscribe("onBeforeLoad", ({ pathChanged }) => {
    if (!hasEnded || !pathChanged) return;
    hasEnded = false;
    forgetSession(queryClient);
  });
  return {
    refused(by) {
      const { location } = router.history;
      forgetLogin();
      // Until the first page is loaded, its own guard decides.
      if (router.state.resolvedLocation === undefined || !isPrivate(router, location.pathname)) return;
      if (hasEnded && by === "query") return;
      hasEnded = true;
      void router.navigate({ to: PATHS.login, search: { redirect_to: location.href }, replace: true });
    },
    answered() {
      hasEnded = false;
    },
  };
}
