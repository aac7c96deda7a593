import { type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import { type Session, mayOpen } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { HELP_ADDRESS, PATHS } from "../../shared/paths.ts";
import { Initials } from "../../ui/initials.tsx";
import { FileIcon, HelpIcon, MoonIcon, ScreenIcon, SunIcon, TeamIcon } from "../../ui/icons.tsx";
import { LeaveLink } from "./leave-link.tsx";
import classes from "./links.module.css";

interface SessionProps {
  session: Session | undefined;
}

/** The links that belong to no area, under their own heading. */
export function MoreLinks({ session }: SessionProps) {
  const heading = useId();
  return (
    <div className={classes.group} role="group" aria-labelledby={heading}>
      <p id={heading} className={classes.heading}>
        More
      </p>
      {session && mayOpen("team", session) ? (
        <Link
          to={PATHS.team}
          className={classes.link}
          title="Team"
          activeProps={{ "aria-current": "page", "data-on": "" } as const}
        >
          <TeamIcon /> <span className={classes.label}>Team</span>
        </Link>
      ) : null}
      {session && mayOpen("appAds", session) ? (
        <Link
          to={PATHS.appAds}
          className={classes.link}
          title="app-ads.txt"
          activeProps={{ "aria-current": "page", "data-on": "" } as const}
        >
          <FileIcon /> <span className={classes.label}>app-ads.txt</span>
        </Link>
      ) : null}
      <a href={HELP_ADDRESS} target="_blank" rel="noreferrer" className={classes.link} title="Help">
        <HelpIcon />{" "}
        <span className={classes.label}>
          Help<span className="visually-hidden"> (opens in a new tab)</span>
        </span>
      </a>
    </div>
  );
}

/** The user's own links: logout, colour scheme and profile. */
export function AccountLinks({ session }: SessionProps) {
  return (
    <>
      <LeaveLink session={session} />
      <SchemeSwitch />
      {session ? <Who session={session} /> : null}
    </>
  );
}

function Who({ session }: { session: Session }) {
  const words = (
    <>
      <Initials name={session.name} size={26} />
      <div className={classes.label}>
        {session.name}
        <span>{session.email}</span>
      </div>
    </>
  );
  if (!mayOpen("profile", session)) return <div className={classes.who}>{words}</div>;
  return (
    <Link to={PATHS.profile} className={classes.who} title={session.email} activeProps={{ "aria-current": "page" }}>
      {words}
    </Link>
  );
}

const SCHEMES: readonly { id: MantineColorScheme; label: string; icon: ReactNode }[] = [
  { id: "auto", label: "System", icon: <ScreenIcon /> },
  { id: "light", label: "Light", icon: <SunIcon /> },
  { id: "dark", label: "Dark", icon: <MoonIcon /> },
];

/** Light, dark, or the system's colour scheme. */
function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className={classes.schemes} role="group" aria-label="Colours">
      {SCHEMES.map(({ id, label, icon }) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === colorScheme}
          aria-label={label}
          title={label}
          onClick={() => setColorScheme(id)}
        >
          {icon}
        </button>
      ))}
    </div>
  );
}
