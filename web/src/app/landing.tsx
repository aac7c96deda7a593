import {
  type HistoryState,
  type RouterHistory,
  createBrowserHistory,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { useEffect } from "react";
import { loadAuthDialogs } from "../areas/accounts/index.ts";
import { PATHS } from "../shared/paths.ts";
import { useNotify } from "../ui/notify/notify.tsx";

const AuthDialogs = lazyRouteComponent(loadAuthDialogs, "AuthDialogs");

/** Whether this is the landing page's document, which the build drew and `landing.ts` runs. All other pages share another. */
const isInLanding = (): boolean => document.documentElement.dataset["app"] !== undefined;

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** An open dialog explains why the user has left. The document stays until they close it. */
    isAnnounced?: boolean;
  }
}

/** The browser's history. Between the landing page and the other pages, it loads the other document instead. */
export function historyOfDocuments(): RouterHistory {
  const history = createBrowserHistory();
  const { push, replace } = history;
  const isLanding = isInLanding();
  const isHere = (path: string) => (new URL(path, window.location.href).pathname === PATHS.landing) === isLanding;
  history.push = (path, state?: HistoryState, options?) => {
    if (isHere(path) || state?.isAnnounced === true) push(path, state, options);
    else window.location.assign(path);
  };
  history.replace = (path, state?: HistoryState, options?) => {
    if (isHere(path) || state?.isAnnounced === true) replace(path, state, options);
    else window.location.replace(path);
  };
  return history;
}

/** The application's part of the landing page: the dialogs over it. Elsewhere, a dialog says why the user has left. */
export function Landing() {
  const isHere = isInLanding();
  const { isAnnouncing } = useNotify();
  useEffect(() => {
    document.documentElement.classList.remove("leaving");
    if (!isHere && !isAnnouncing) window.location.reload();
  }, [isHere, isAnnouncing]);
  return isHere ? <AuthDialogs /> : null;
}
