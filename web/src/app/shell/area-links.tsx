import { type PageName, type Session, mayOpen } from "@millrace/contract";
import { Link, useRouterState } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PATHS } from "../../shared/paths.ts";
import { ChartIcon, DeskIcon, FlagIcon, GridIcon } from "../../ui/icons.tsx";
import classes from "./links.module.css";

interface AreaLinksProps {
  session: Session | undefined;
  className?: string | undefined;
}

const AREAS = [
  { page: "publisherPerformance", label: "Performance", suffix: "apps", icon: <ChartIcon /> },
  { page: "apps", label: "Apps", icon: <GridIcon /> },
  { page: "campaigns", label: "Campaigns", icon: <FlagIcon /> },
  { page: "adminApps", label: "Admin Apps", icon: <DeskIcon /> },
] as const satisfies readonly { page: PageName; label: string; suffix?: string; icon: ReactNode }[];

/**
 * Links to what the user's rights open. Who has both sides of the product changes sides here, and reads beside a name that
 * both sides have whose it is.
 */
export function AreaLinks({ session, className = "" }: AreaLinksProps) {
  const here = useRouterState({ select: ({ location }) => areaOf(location.pathname) });
  const hasBothSides = session?.roles.can_apps === true && session.roles.can_campaign;
  return AREAS.filter(({ page }) => session && mayOpen(page, session)).map(({ page, label, icon, ...rest }) => (
    <Link
      key={page}
      to={PATHS[page]}
      className={className}
      // The page of all apps lies below the list of apps in its address, and is not a part of it.
      activeOptions={{ includeSearch: false, exact: here !== page }}
      activeProps={{ "aria-current": "page", "data-on": "" } as const}
    >
      {icon} {label} {"suffix" in rest && hasBothSides ? <span className={classes.suffix}>{rest.suffix}</span> : null}
    </Link>
  ));
}

/** The area that an address is in: of those it lies below, the closest. */
function areaOf(pathname: string): PageName | undefined {
  // app-ads.txt stands among the account's links.
  return [...AREAS.map(({ page }): PageName => page), "appAds" as const]
    .filter((page) => pathname === PATHS[page] || pathname.startsWith(`${PATHS[page]}/`))
    .toSorted((a, b) => PATHS[b].length - PATHS[a].length)[0];
}
