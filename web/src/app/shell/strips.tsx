import { Button } from "@mantine/core";
import type { Session } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { useAcceptAgreement, usePostponeAgreement } from "../../areas/accounts/index.ts";
import { messageOf } from "../../shared/call-api.ts";
import { PATHS } from "../../shared/paths.ts";
import { AlertIcon } from "../../ui/icons.tsx";
import { ReturnToAdmin } from "./leave-link.tsx";
import classes from "./strips.module.css";

/** Asks the user to agree to the current terms. "Later" hides the prompt in this tab; the next visit asks again. */
export function Agreement({ user }: { user: string }) {
  const accept = useAcceptAgreement();
  const postpone = usePostponeAgreement();
  return (
    <section className={classes.agreement} aria-label="Terms">
      <p>
        Please read and accept the <Link to={PATHS.terms}>terms of service</Link> and the{" "}
        <Link to={PATHS.privacy}>privacy notice</Link>.
        {accept.error ? (
          <span className={classes.wrong} role="alert">
            {messageOf(accept.error)}
          </span>
        ) : null}
      </p>
      <div>
        <Button size="xs" loading={accept.isPending} onClick={() => accept.mutate()}>
          Accept
        </Button>
        <Button size="xs" variant="default" onClick={() => postpone(user)}>
          Later
        </Button>
      </div>
    </section>
  );
}

/** Shows an impersonating admin whose account they are in. */
export function ImpersonationStrip({ session }: { session: Session }) {
  return (
    <div className={classes.switched} role="status">
      <AlertIcon />
      <span>
        You are in the account of <strong>{session.name}</strong> ({session.email}). Your actions are also recorded
        under your own name.
      </span>
      <ReturnToAdmin className={classes.back} />
    </div>
  );
}

/** The progress of generating a demo's history; afterwards only the footer mentions the demo. */
export function DemoLine({ progress }: { progress: number }) {
  const percent = Math.floor(progress * 100);
  if (percent >= 100) return null;
  return (
    <p className={classes.demo}>
      Demo data · history filling {percent}%
      <progress value={percent} max={100} aria-label="History filling" />
    </p>
  );
}
