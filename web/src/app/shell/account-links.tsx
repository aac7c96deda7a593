import { type Session, mayOpen } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { HELP_ADDRESS, PATHS } from "../../shared/paths.ts";
import { FileIcon, HelpIcon } from "../../ui/icons.tsx";
import { LeaveLink } from "./leave-link.tsx";
import classes from "./links.module.css";
import { SchemeSwitch } from "./scheme-switch.tsx";

/** The shell's links besides the areas: help, app-ads.txt, colour scheme, logout and profile. */
export function AccountLinks({ session }: { session: Session | undefined }) {
  return (
    <>
      <a href={HELP_ADDRESS} target="_blank" rel="noreferrer" className={classes.link}>
        <HelpIcon /> Help<span className="visually-hidden"> (opens in a new tab)</span>
      </a>
      {session && mayOpen("appAds", session) ? (
        <Link
          to={PATHS.appAds}
          className={classes.link}
          activeProps={{ "aria-current": "page", "data-on": "" } as const}
        >
          <FileIcon /> app-ads.txt
        </Link>
      ) : null}
      <LeaveLink session={session} />
      <SchemeSwitch />
      {session ? <Who session={session} /> : null}
    </>
  );
}

function Who({ session }: { session: Session }) {
  const words = (
    <>
      {session.name}
      <span>{session.email}</span>
    </>
  );
  if (!mayOpen("profile", session)) return <div className={classes.who}>{words}</div>;
  return (
    <Link to={PATHS.profile} className={classes.who} title={session.email} activeProps={{ "aria-current": "page" }}>
      {words}
    </Link>
  );
}
