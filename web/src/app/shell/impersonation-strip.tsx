import type { Session } from "@millrace/contract";
import { AlertIcon } from "../../ui/icons.tsx";
import { ReturnToAdmin } from "./leave-link.tsx";
import classes from "./strips.module.css";

/** Shows an impersonating admin whose account they are in. */
export function ImpersonationStrip({ session }: { session: Session }) {
  return (
    <div className={classes.switched} role="status">
      <AlertIcon />
      <span>
        You are in the account of <strong>{session.name}</strong> ({session.email}). What you do is recorded under your
        own name too.
      </span>
      <ReturnToAdmin className={classes.back} />
    </div>
  );
}
