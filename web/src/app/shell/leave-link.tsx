import type { Session } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { useReturnToAdmin } from "../../areas/accounts/index.ts";
import { PATHS } from "../../shared/paths.ts";
import { useFreshPage } from "../../shared/use-fresh-page.ts";
import { LeaveIcon } from "../../ui/icons.tsx";
import classes from "./links.module.css";

/** Logs out or, for an impersonating admin, returns to the admin's own account. */
export function LeaveLink({ session }: { session: Session | undefined }) {
  if (session?.is_switched === true) return <ReturnToAdmin className={classes.link} />;
  return (
    <Link to={PATHS.logout} className={classes.link} preload={false} title="Logout">
      <LeaveIcon /> <span className={classes.label}>Logout</span>
    </Link>
  );
}

export function ReturnToAdmin({ className }: { className: string | undefined }) {
  const back = useReturnToAdmin();
  const go = useFreshPage();
  return (
    <button
      type="button"
      className={className}
      title="Return to admin"
      disabled={back.isPending}
      onClick={() => void go(back.mutateAsync)}
    >
      <LeaveIcon /> <span className={classes.label}>Return to admin</span>
    </button>
  );
}
