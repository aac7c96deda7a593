import { Link } from "@tanstack/react-router";
import { PATHS } from "../../../shared/paths.ts";
import classes from "./parts.module.css";

const LISTS = [
  { to: PATHS.adminModeration, label: "New apps" },
  { to: PATHS.adminCreatives, label: "Creatives" },
] as const;

/** Links between the two lists that are moderated. */
export function ModerationTabs() {
  return (
    <nav className={classes.lists} aria-label="Moderation">
      {LISTS.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          search={{}}
          activeOptions={{ includeSearch: false, exact: true }}
          activeProps={{ "aria-current": "page" }}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
