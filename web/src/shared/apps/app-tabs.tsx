import { type AppIdentity, PLATFORMS_WITHOUT_KEYS, type PageName, mayOpen } from "@millrace/contract";
import { Link, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { PATHS } from "../paths.ts";
import { useKnownSession } from "../session.ts";
import classes from "./app-tabs.module.css";

const TABS = [
  { page: "appPerformance", label: "Statistics" },
  { page: "appRequests", label: "Requests" },
  { page: "appMediation", label: "Mediation" },
  { page: "appZones", label: "Zones" },
  { page: "appDsp", label: "Keys" },
  { page: "appSettings", label: "Integrate" },
] as const satisfies readonly { page: PageName; label: string }[];

export type AppTab = (typeof TABS)[number]["page"];

interface AppTabsProps {
  uuid: string;
  /** Undefined while it loads. */
  app: AppIdentity | undefined;
  /** The tab of a page that has no tab of its own. */
  tab?: AppTab | undefined;
}

/** Links to an app's pages that the user may open and the app's platform has. */
export function AppTabs({ uuid, app, tab }: AppTabsProps) {
  const session = useKnownSession();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const here = tab ?? TABS.find(({ page }) => pathname === PATHS[page].replace("$uuid", uuid))?.page;
  const bar = useRef<HTMLElement>(null);
  const hasKeys = app !== undefined && !PLATFORMS_WITHOUT_KEYS.includes(app.platform);
  const shown = TABS.filter(
    ({ page }) => session && mayOpen(page, session) && (page !== "appDsp" || hasKeys || here === page),
  );
  // On a small screen the bar scrolls to the tab. Its place changes when the app brings the tab of keys.
  const place = shown.findIndex(({ page }) => page === here);
  useEffect(() => {
    const link = bar.current?.children[place];
    if (bar.current && link instanceof HTMLElement)
      bar.current.scrollLeft = link.offsetLeft - (bar.current.clientWidth - link.offsetWidth) / 2;
  }, [place]);
  if (!session) return null;

  return (
    <nav ref={bar} className={classes.tabs} aria-label="App">
      {shown.map(({ page, label }) => (
        <Link
          key={page}
          to={PATHS[page]}
          params={{ uuid }}
          search={{}}
          className={classes.tab}
          activeOptions={{ exact: true, includeSearch: false }}
          {...(page === here && ({ "aria-current": "page" } as const))}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
