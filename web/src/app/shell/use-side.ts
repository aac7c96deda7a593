import type { Session, Side } from "@millrace/contract";
import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { currentRoleOf, rememberRole } from "../../areas/accounts/index.ts";
import { PATHS } from "../../shared/paths.ts";

/**
 * The current side of the product: the page's, or the previous page's if the page belongs to neither. The admin pages
 * are about all accounts, so they have no side's balance and search.
 */
export function useSide(session: Session | undefined): Side | "admin" | undefined {
  const here = useRouterState({ select: ({ location }) => sideOf(location.pathname) });
  useEffect(() => {
    if (here && here !== "admin") rememberRole(here);
  }, [here]);
  return here ?? (session && currentRoleOf(session));
}

const AUCTIONS = PATHS.auction.replace("/$id", "");
const PUBLISHER = [PATHS.apps, PATHS.inhouse, AUCTIONS, PATHS.payment, PATHS.report];

function sideOf(pathname: string): Side | "admin" | undefined {
  const isBelow = (path: string) => pathname === path || pathname.startsWith(`${path}/`);
  if (isBelow(PATHS.admin)) return "admin";
  return isBelow(PATHS.campaigns) || isBelow(PATHS.campaignBalance)
    ? "campaign"
    : PUBLISHER.some(isBelow)
      ? "apps"
      : undefined;
}
