import type { Session, Side } from "@millrace/contract";
import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { currentRoleOf, rememberRole } from "../../areas/accounts/index.ts";
import { PATHS } from "../../shared/paths.ts";

/** The side of the product that is worked on: the one of the page, and on pages of neither the one of the page before. */
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
