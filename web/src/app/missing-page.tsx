import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { mayBeLoggedIn, sessionQuery } from "../areas/accounts/index.ts";
import { NotFoundNote, NotFoundPage } from "../areas/site/index.ts";
import { PATHS } from "../shared/paths.ts";
import { PageTitle } from "../ui/page-title.tsx";
import { EmptyNote } from "../ui/states/empty-note.tsx";
import { ShellPending } from "./shell/shell-pending.tsx";
import { ShellFrame } from "./shell/shell.tsx";

/** Addresses of the product that this version has no screens for, with everything below them. */
const NOT_BUILT = [
  {
    path: "/payment",
    title: "Payments",
    why: "Payouts and the history of balances are not part of this version yet. What apps earn and campaigns spend is counted, and the balance is at the top of every page.",
  },
  {
    path: "/report",
    title: "Finance report",
    why: "The finance report is not part of this version yet. The statistics have the revenue by day, app and partner, also as CSV and PDF.",
  },
] as const;

/** The 404 page. A signed-in user keeps the shell with its links, "Return to admin" and Logout. */
export function MissingPage() {
  const session = useQuery({ ...sessionQuery, enabled: mayBeLoggedIn(Date.now()) });
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  if (session.data) {
    return (
      <ShellFrame>
        <MissingNote pathname={pathname} />
      </ShellFrame>
    );
  }
  return session.isLoading ? <ShellPending /> : <NotFoundPage />;
}

/** Says whether there is no such page, or not yet. */
function MissingNote({ pathname }: { pathname: string }) {
  const later = NOT_BUILT.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  if (!later) return <NotFoundNote />;
  return (
    <>
      <PageTitle text={later.title} />
      <EmptyNote
        title={`${later.title}: not available yet`}
        why={later.why}
        action={<Link to={PATHS.landing}>Go to my start page</Link>}
      />
    </>
  );
}
