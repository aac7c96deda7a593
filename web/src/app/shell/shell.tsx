import { mayOpen } from "@millrace/contract";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { type ReactNode, Suspense, lazy, useState } from "react";
import { loadCodeGate, useSession } from "../../areas/accounts/index.ts";
import { loadAppSearch } from "../../areas/apps/index.ts";
import { Support } from "../../areas/support/index.ts";
import { LeaveGuard } from "../../shared/form/leave-guard.tsx";
import { PATHS } from "../../shared/paths.ts";
import { WeekStart } from "../../ui/fields/week-start.ts";
import { TitleSlotProvider } from "../../ui/page-title.tsx";
import { SkeletonBar } from "../../ui/states/skeletons.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { Footer } from "./footer.tsx";
import { Money } from "./money.tsx";
import classes from "./shell.module.css";
import { Sidebar } from "./sidebar.tsx";
import { Agreement, DemoLine, ImpersonationStrip } from "./strips.tsx";
import { useSide } from "./use-side.ts";

const AppSearch = lazy(async () => ({ default: (await loadAppSearch()).AppSearch }));
const AdminSearch = lazy(async () => ({ default: (await import("../../areas/admin/index.ts")).AdminSearch }));
const CodeGate = lazy(async () => ({ default: (await loadCodeGate()).CodeGate }));

/** The frame of every page for signed-in users. */
export const Shell = () => (
  <ShellFrame>
    <Outlet />
  </ShellFrame>
);

/** Everything around a page: links, balances, messages, support. */
export function ShellFrame({ children }: { children: ReactNode }) {
  const session = useSession().data;
  const side = useSide(session);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  // The app list has its own search.
  const atList = useRouterState({ select: (state) => state.location.pathname === PATHS.apps });
  if (session?.need_verify_otp === true && !session.is_switched) {
    return (
      <Suspense>
        <CodeGate />
      </Suspense>
    );
  }
  const isAdmin = session !== undefined && mayOpen("admin", session);
  const searches = !atList && (isAdmin || (side === "apps" && (session === undefined || mayOpen("apps", session))));
  return (
    <LeaveGuard>
      <div className={classes.shell}>
        <a href="#content" className={classes.skip}>
          Skip to content
        </a>
        <Sidebar session={session} />
        <div className={classes.main}>
          {session?.is_switched === true ? <ImpersonationStrip session={session} /> : null}
          <header className={classes.header}>
            <div ref={setSlot} className={classes.title} />
            {searches ? <HeaderSearch isAdmin={isAdmin} /> : null}
            {session ? <Money session={session} side={side} /> : null}
          </header>
          {session?.demo.running === true ? <DemoLine progress={session.demo.history_progress} /> : null}
          {session?.globalConfig.show_agreement === 1 && !session.is_switched ? (
            <Agreement user={session.uuid} />
          ) : null}
          <main id="content" className={classes.content} tabIndex={-1}>
            <WeekStart value={session?.week_start_on_sunday === true ? 0 : 1}>
              <TitleSlotProvider value={slot}>{slot ? children : null}</TitleSlotProvider>
            </WeekStart>
          </main>
          <Footer demo={session?.demo.running === true} />
        </div>
        <BottomBar session={session} />
        {session ? <Support /> : null}
      </div>
    </LeaveGuard>
  );
}

/** The header's search, loaded after the page: an admin finds apps and people of all accounts. */
function HeaderSearch({ isAdmin }: { isAdmin: boolean }) {
  return (
    <div className={classes.search}>
      <Suspense fallback={<SkeletonBar height="32px" />}>{isAdmin ? <AdminSearch /> : <AppSearch />}</Suspense>
    </div>
  );
}
