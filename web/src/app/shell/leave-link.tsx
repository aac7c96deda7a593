import type { Session } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { useReturnToAdmin } from "../../areas/accounts/index.ts";
import { messageOf } from "../../shared/call-api.ts";
import { ownPath } from "../../shared/own-path.ts";
import { PATHS } from "../../shared/paths.ts";
import { LeaveIcon } from "../../ui/icons.tsx";
import { useNotify } from "../../ui/notify/notify.tsx";
import classes from "./shell.module.css";

/** The way out: of the platform, or, for an admin who is switched in, of the visited account. */
export function LeaveLink({ session }: { session: Session | undefined }) {
  if (session?.is_switched === true) return <ReturnToAdmin className={classes.link} />;
  return (
    <Link to={PATHS.logout} className={classes.link} preload={false}>
      <LeaveIcon /> Logout
    </Link>
  );
}

export function ReturnToAdmin({ className }: { className: string | undefined }) {
  const back = useReturnToAdmin();
  const { tell } = useNotify();
  const go = async () => {
    try {
      const { redirect_to } = await back.mutateAsync();
      // A fresh page instead of a step within this one: nothing of the visited user may stay in it.
      window.location.assign(ownPath(redirect_to, PATHS.landing));
    } catch (failure) {
      tell(messageOf(failure), "failed");
    }
  };
  return (
    <button type="button" className={className} disabled={back.isPending} onClick={() => void go()}>
      <LeaveIcon /> Return to admin
    </button>
  );
}
