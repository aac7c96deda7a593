import { type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import { type PageName, type Session, mayOpen } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { HELP_ADDRESS, PATHS } from "../../shared/paths.ts";
import { Initials } from "../../ui/initials.tsx";
import {
  FileIcon,
  HelpIcon,
  MinusIcon,
  MoonIcon,
  ReceiptIcon,
  ScreenIcon,
  SunIcon,
  TeamIcon,
  WalletIcon,
} from "../../ui/icons.tsx";
import { LeaveLink } from "./leave-link.tsx";
import classes from "./links.module.css";

interface SessionProps {
  session: Session | undefined;
}

interface ListedLink {
  page: PageName;
  label: string;
  icon: ReactNode;
}

const MONEY = [
  { page: "payment", label: "Payments", icon: <WalletIcon /> },
  { page: "deductions", label: "Deductions", icon: <MinusIcon /> },
  { page: "report", label: "Finance report", icon: <ReceiptIcon /> },
  { page: "campaignBalance", label: "Campaign balance", icon: <WalletIcon /> },
] as const satisfies readonly ListedLink[];

const MORE = [
  { page: "team", label: "Team", icon: <TeamIcon /> },
  { page: "appAds", label: "app-ads.txt", icon: <FileIcon /> },
] as const satisfies readonly ListedLink[];

/** The links about money, and those that belong to no area, each under its heading. */
export function MoreLinks({ session }: SessionProps) {
  return (
    <>
      {session && MONEY.some(({ page }) => mayOpen(page, session)) ? (
        <LinkGroup title="Money">
          <OpenLinks links={MONEY} session={session} />
        </LinkGroup>
      ) : null}
      <LinkGroup title="More">
        <OpenLinks links={MORE} session={session} />
        <a href={HELP_ADDRESS} target="_blank" rel="noreferrer" className={classes.link} title="Help">
          <HelpIcon />{" "}
          <span className={classes.label}>
            Help<span className="visually-hidden"> (opens in a new tab)</span>
          </span>
        </a>
      </LinkGroup>
    </>
  );
}

function LinkGroup({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <div className={classes.group} role="group" aria-labelledby={heading}>
      <p id={heading} className={classes.heading}>
        {title}
      </p>
      {children}
    </div>
  );
}

const OpenLinks = ({ links, session }: { links: typeof MONEY | typeof MORE } & SessionProps) =>
  links
    .filter(({ page }) => session && mayOpen(page, session))
    .map(({ page, label, icon }) => (
      <Link
        key={page}
        to={PATHS[page]}
        className={classes.link}
        title={label}
        activeOptions={{ includeSearch: false, exact: true }}
        activeProps={{ "aria-current": "page", "data-on": "" } as const}
      >
        {icon} <span className={classes.label}>{label}</span>
      </Link>
    ));

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
