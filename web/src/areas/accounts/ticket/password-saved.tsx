import { Button } from "@mantine/core";
import { type Session, mayOpen } from "@millrace/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PATHS } from "../../../shared/paths.ts";
import { CheckIcon } from "../../../ui/icons.tsx";
import { useTakenFocus } from "../../../ui/use-taken-focus.ts";
import { sessionQuery } from "../api.ts";
import classes from "./ticket.module.css";

/** Confirms that the new password is set and the user is signed in. */
export function PasswordSaved({ pass }: { pass: boolean }) {
  const session = useQuery(sessionQuery).data;
  const title = useTakenFocus<HTMLParagraphElement>();
  return (
    <div className={classes.told}>
      <p ref={title} tabIndex={-1} className={classes.good} role="status">
        <CheckIcon /> {pass ? "Password changed" : "Password saved"}
      </p>
      <p>You have been signed out everywhere else.</p>
      <Button renderRoot={(props) => <Link {...props} to={dashboardOf(session)} />}>Continue to dashboard</Button>
    </div>
  );
}

/** Campaigns if the user has them, otherwise apps; until the session is known, the landing page, which redirects. */
function dashboardOf(session: Session | undefined) {
  if (session === undefined) return PATHS.landing;
  return mayOpen("campaigns", session) ? PATHS.campaigns : PATHS.apps;
}
