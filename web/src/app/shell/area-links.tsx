import type { Session } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { PATHS } from "../../shared/paths.ts";
import { FlagIcon, GridIcon } from "../../ui/icons.tsx";

interface AreaLinksProps {
  session: Session | undefined;
  className?: string | undefined;
}

/** Links to what the user's roles open. */
export function AreaLinks({ session, className = "" }: AreaLinksProps) {
  const active = { "aria-current": "page", "data-on": "" } as const;
  return (
    <>
      {session?.roles.can_apps === false ? null : (
        <Link to={PATHS.apps} className={className} activeProps={active}>
          <GridIcon /> Apps
        </Link>
      )}
      {session?.roles.can_campaign === true ? (
        <Link to={PATHS.campaigns} className={className} activeProps={active}>
          <FlagIcon /> Campaigns
        </Link>
      ) : null}
    </>
  );
}
