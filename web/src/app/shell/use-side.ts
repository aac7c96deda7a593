import type { Session, Side } from "@millrace/contract";
import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { currentRoleOf, rememberRole } from "../../areas/accounts/index.ts";
import { PATHS } from "../../shared/paths.ts";

/** The current side of the product: the page's, or the previous page's if the page belongs to neither. */
export function useSide(session: Session | undefined): Side | undefined {
  const here = useRouterState({ select: ({ location }) => sideOf(location.pathname) });
  useEffect(() => {
    if (here) rememberRole(here);
  }, [here]);
  return here ?? (session && currentRoleOf(session));
}

function sideOf(pathname: string): Side | undefined {
  const isBelow = (path: string) => pathname === path || pathname.startsWith(`${path}/`);
  return isBelow(PATHS.campaigns) ? "campaign" : isBelow(PATHS.apps) ? "apps" : undefined;
}
