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
 * Links to the areas that the user's rights allow. Users with both sides of the product switch sides here; a name that
 * both sides share is labelled with its side.
 */
export function AreaLinks({ session, className = "" }: AreaLinksProps) {
  const here = useRouterState({ select: ({ location }) => areaOf(location.pathname) });
  const hasBothSides = session?.roles.can_apps === true && session.roles.can_campaign;
  return AREAS.filter(({ page }) => session && mayOpen(page, session)).map(({ page, label, icon, ...rest }) => (
    <Link
      key={page}
      to={PATHS[page]}
      className={className}
      // The area decides, not the path: statistics of all apps are below the app list, and the desk has many pages.
      activeOptions={{ includeSearch: false, exact: true }}
      {...(here === page && ({ "aria-current": "page", "data-on": "" } as const))}
    >
      {icon} {label} {"suffix" in rest && hasBothSides ? <span className={classes.suffix}>{rest.suffix}</span> : null}
    </Link>
  ));
}

/** The area of an address: the one with the longest matching path. */
function areaOf(pathname: string): PageName | undefined {
  // app-ads.txt is among the account's links.
  return [...AREAS.map(({ page }): PageName => page), "appAds" as const]
    .filter((page) => pathname === PATHS[page] || pathname.startsWith(`${rootOf(page)}/`))
    .toSorted((a, b) => PATHS[b].length - PATHS[a].length)[0];
}

/** The path that an area's pages begin with; those of the admin pages stand beside each other. */
const rootOf = (page: PageName): string => (page === "adminApps" ? "/admin" : PATHS[page]);
