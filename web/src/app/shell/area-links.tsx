import { type PageName, type Session, mayOpen } from "@millrace/contract";
import { Link, useRouterState } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PATHS } from "../../shared/paths.ts";
import { ChartIcon, DeskIcon, FlagIcon, GridIcon, SearchIcon, SwapIcon } from "../../ui/icons.tsx";
import classes from "./links.module.css";

interface AreaLinksProps {
  session: Session | undefined;
  className?: string | undefined;
  /** Without the pages that another area's own links lead to: there is room for five. */
  few?: boolean;
}

const AREAS = [
  { page: "publisherPerformance", label: "Performance", suffix: "apps", icon: <ChartIcon /> },
  { page: "apps", label: "Apps", icon: <GridIcon /> },
  { page: "inhouse", label: "Cross Promo", icon: <SwapIcon /> },
  { page: "campaignPerformance", label: "Performance", suffix: "campaigns", icon: <ChartIcon /> },
  { page: "campaigns", label: "Campaigns", icon: <FlagIcon /> },
  { page: "admin", label: "Admin", icon: <DeskIcon /> },
  { page: "adminApps", label: "Admin Apps", icon: <SearchIcon size={18} />, within: "admin" },
] as const satisfies readonly { page: PageName; label: string; suffix?: string; icon: ReactNode; within?: PageName }[];

/**
 * Links to the areas that the user's rights allow. Users with both sides of the product switch sides here; a name that
 * both sides share is labelled with its side.
 */
export function AreaLinks({ session, className = "", few = false }: AreaLinksProps) {
  const areas = AREAS.filter((area) => !few || !("within" in area));
  const here = useRouterState({ select: ({ location }) => areaOf(areas, location.pathname) });
  const hasBothSides = session?.roles.can_apps === true && session.roles.can_campaign;
  return areas
    .filter(({ page }) => session && mayOpen(page, session))
    .map(({ page, label, icon, ...rest }) => {
      const suffix = "suffix" in rest && hasBothSides ? rest.suffix : null;
      return (
        <Link
          key={page}
          to={PATHS[page]}
          className={className}
          title={suffix === null ? label : `${label} ${suffix}`}
          // The area decides, not the path: statistics of all apps are below the app list, and the admin area has many pages.
          activeOptions={{ includeSearch: false, exact: true }}
          {...(here === page && ({ "aria-current": "page", "data-on": "" } as const))}
        >
          {icon} <span className={classes.label}>{label}</span>{" "}
          {suffix === null ? null : <span className={classes.suffix}>{suffix}</span>}
        </Link>
      );
    });
}

/** The area of an address: the one with the longest matching path. */
function areaOf(areas: readonly { page: PageName }[], pathname: string): PageName | undefined {
  // app-ads.txt is among the account's links.
  return [...areas.map(({ page }) => page), "appAds" as const]
    .filter((page) => pathname === PATHS[page] || pathname.startsWith(`${PATHS[page]}/`))
    .toSorted((a, b) => PATHS[b].length - PATHS[a].length)[0];
}
