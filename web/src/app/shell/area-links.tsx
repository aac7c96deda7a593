import { type PageName, type Session, mayOpen } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PATHS } from "../../shared/paths.ts";
import { DeskIcon, FlagIcon, GridIcon } from "../../ui/icons.tsx";

interface AreaLinksProps {
  session: Session | undefined;
  className?: string | undefined;
}

const AREAS = [
  { page: "apps", label: "Apps", icon: <GridIcon /> },
  { page: "campaigns", label: "Campaigns", icon: <FlagIcon /> },
  { page: "adminApps", label: "Admin Apps", icon: <DeskIcon /> },
] as const satisfies readonly { page: PageName; label: string; icon: ReactNode }[];

/** Links to what the user's rights open. Who has both sides of the product changes sides here. */
export function AreaLinks({ session, className = "" }: AreaLinksProps) {
  return AREAS.filter(({ page }) => session && mayOpen(page, session)).map(({ page, label, icon }) => (
    <Link
      key={page}
      to={PATHS[page]}
      className={className}
      activeOptions={{ includeSearch: false }}
      activeProps={{ "aria-current": "page", "data-on": "" } as const}
    >
      {icon} {label}
    </Link>
  ));
}
