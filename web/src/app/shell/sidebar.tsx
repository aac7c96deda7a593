import type { Session } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { PATHS } from "../../shared/paths.ts";
import { BrandMark } from "../../ui/brand-mark.tsx";
import { LeaveIcon } from "../../ui/icons.tsx";
import { AreaLinks } from "./area-links.tsx";
import classes from "./shell.module.css";
import { SchemeSwitch } from "./scheme-switch.tsx";

export function Sidebar({ session }: { session: Session | undefined }) {
  return (
    <nav className={classes.sidebar} aria-label="Main">
      <Link to={PATHS.landing} className={classes.brand}>
        <BrandMark /> Millrace
      </Link>
      <AreaLinks session={session} className={classes.link} />
      <div className={classes.sideFoot}>
        <SchemeSwitch />
        <Link to={PATHS.logout} className={classes.link} preload={false}>
          <LeaveIcon /> Logout
        </Link>
        <div className={classes.who} title={session?.email}>
          {session?.name}
          <span>{session?.email}</span>
        </div>
      </div>
    </nav>
  );
}
