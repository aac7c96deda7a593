import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useAcceptAgreement, usePutOffAgreement } from "../../areas/accounts/index.ts";
import { messageOf } from "../../shared/call-api.ts";
import { PATHS } from "../../shared/paths.ts";
import classes from "./strips.module.css";

/** Asks the user to agree to the current terms. "Later" hides the prompt in this tab; the next visit asks again. */
export function Agreement({ user }: { user: string }) {
  const accept = useAcceptAgreement();
  const putOff = usePutOffAgreement();
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
        <Button size="xs" variant="default" onClick={() => putOff(user)}>
          Later
        </Button>
      </div>
    </section>
  );
}
