import type { Session } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { PATHS } from "../../shared/paths.ts";
import { LeaveIcon, PersonIcon } from "../../ui/icons.tsx";
import { AreaLinks } from "./area-links.tsx";
import classes from "./shell.module.css";
import { SchemeSwitch } from "./scheme-switch.tsx";

/** The sidebar of a small screen: nothing is lost, only folded. */
export function BottomBar({ session }: { session: Session | undefined }) {
  const account = useId();
  return (
    <nav className={classes.bottomBar} aria-label="Main">
      <AreaLinks session={session} />
      <button type="button" popoverTarget={account}>
        <PersonIcon /> Account
      </button>
      <div id={account} popover="auto" className={classes.account}>
        <div className={classes.who}>
          {session?.name}
          <span>{session?.email}</span>
        </div>
        <SchemeSwitch />
        <Link to={PATHS.logout} className={classes.link} preload={false}>
          <LeaveIcon /> Logout
        </Link>
      </div>
    </nav>
  );
}
