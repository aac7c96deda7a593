import { Link } from "@tanstack/react-router";
import { PATHS } from "../../../shared/paths.ts";
import type { PublisherScope } from "../scope.ts";
import classes from "./parts.module.css";

interface AppLinkProps {
  uuid: string;
  name: string;
  scope: PublisherScope;
}

/** An app's name as a link to its statistics with the same days and filters. */
export function AppLink({ uuid, name, scope }: AppLinkProps) {
  const { ds, de, provider, format, country } = scope.filter;
  return (
    <Link
      to={PATHS.appPerformance}
      params={{ uuid }}
      search={{ ds, de, provider, format, country }}
      className={classes.appLink}
    >
      {name}
    </Link>
  );
}
