import { Link } from "@tanstack/react-router";
import { carriedOf } from "../../../shared/filters/address.ts";
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
  return (
    <Link to={PATHS.appPerformance} params={{ uuid }} search={carriedOf(scope.filter)} className={classes.nameLink}>
      {name}
    </Link>
  );
}
