import type { Manager, SubUser } from "@millrace/contract";
import { dayText } from "../../../../shared/day-text.ts";
import classes from "./team.module.css";

/** Whether a person has access, or an invitation that waits. */
export function MemberState({ state, invitation }: Pick<SubUser | Manager, "state" | "invitation">) {
  return (
    <>
      <span className={classes.state} data-state={state}>
        {state === "active" ? "Active" : "Invited"}
      </span>
      {invitation ? (
        <span className={classes.since}>
          waiting since {dayText(invitation.invited_at)}
          <br />
          link works until {dayText(invitation.expires_at)}
        </span>
      ) : null}
    </>
  );
}
