import { Outlet, useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { useSession } from "../../areas/accounts/index.ts";
import { PATHS } from "../../shared/paths.ts";
import { TitleSlotProvider } from "../../ui/page-title.tsx";
import { AppSearch } from "./app-search.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { DemoLine } from "./demo-line.tsx";
import { Money } from "./money.tsx";
import { ScrollToTop } from "./scroll-to-top.tsx";
import classes from "./shell.module.css";
import { Sidebar } from "./sidebar.tsx";

/** The frame of every page behind the sign-in. */
export function Shell() {
  const session = useSession().data;
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  // The list has a search of its own.
  const atList = useRouterState({ select: (state) => state.location.pathname === PATHS.apps });
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        Skip to the content
      </a>
      <Sidebar session={session} />
      <div className={classes.main}>
        <header className={classes.header}>
          <div ref={setSlot} className={classes.title} />
          {atList || session?.roles.can_apps === false ? null : <AppSearch />}
          {session ? <Money session={session} /> : null}
        </header>
        {session?.demo.running === true ? <DemoLine progress={session.demo.history_progress} /> : null}
        <main id="content" className={classes.content} tabIndex={-1}>
          <TitleSlotProvider value={slot}>{slot ? <Outlet /> : null}</TitleSlotProvider>
        </main>
        <footer className={classes.footer}>
          <span>© {new Date().getUTCFullYear()} Millrace</span>
          {session?.demo.running === true ? <span>Demo data: the traffic is simulated</span> : null}
        </footer>
      </div>
      <BottomBar session={session} />
      <ScrollToTop />
    </div>
  );
}
