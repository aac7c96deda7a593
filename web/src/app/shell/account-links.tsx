import { type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import { type Session, mayOpen } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { HELP_ADDRESS, PATHS } from "../../shared/paths.ts";
import { FileIcon, HelpIcon, MoonIcon, ScreenIcon, SunIcon } from "../../ui/icons.tsx";
import { LeaveLink } from "./leave-link.tsx";
import classes from "./links.module.css";

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
