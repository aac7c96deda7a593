import { Button } from "@mantine/core";
import { type Reply, type TicketType, type checkTicket, TICKET_ERRORS } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { PATHS } from "../../../shared/paths.ts";
import { BlockError } from "../../../ui/states/block-error.tsx";
import { SkeletonBar } from "../../../ui/states/skeletons.tsx";
import { useTicket } from "./api.ts";
import { ActivatePassword } from "./activate-password.tsx";
import { ChangeForm } from "./change-form.tsx";
import { OpenAccount } from "./open-account.tsx";
import { PasswordSaved } from "./password-saved.tsx";
import classes from "./ticket.module.css";

/** The page's title for each kind of link. */
export const TICKET_TITLES = {
  reset_pass: "New password",
  change_pass: "Password change",
  sign_up: "Open your account",
  manager: "Invitation",
} as const satisfies Record<TicketType, string>;

type Checked = Reply<typeof checkTicket>;

interface TicketFormProps {
  ticket: string;
  /** The variant for a signed-in user. */
  pass: boolean;
}

/** Runs a mailed link, or explains why it is no longer valid. */
export function TicketForm({ ticket, pass }: TicketFormProps) {
  const checked = useTicket(ticket);
  if (checked.data === undefined) {
    if (checked.isError) {
      return <BlockError error={checked.error} retrying={checked.isFetching} onRetry={() => void checked.refetch()} />;
    }
    return (
      <div role="status" className={classes.checking}>
        <p>Checking link ...</p>
        <SkeletonBar height="36px" />
        <SkeletonBar height="36px" />
      </div>
    );
  }
  return <Usable ticket={ticket} pass={pass} checked={checked.data} />;
}

function Usable({ ticket, pass, checked: { type, has_pass, error } }: TicketFormProps & { checked: Checked }) {
  const codeNeeded = error === "need_verify_otp";
  if (error !== undefined && !codeNeeded) {
    const passwordIsSet = error === "activated" && (type === "reset_pass" || type === "change_pass");
    if (pass && passwordIsSet) return <PasswordSaved pass />;
    return <Unusable error={error} type={type} />;
  }
  switch (type) {
    case "reset_pass":
      return <ChangeForm ticket={ticket} pass={pass} codeNeeded={codeNeeded} />;
    case "change_pass":
      return <ActivatePassword ticket={ticket} pass={pass} codeNeeded={codeNeeded} hasPass={has_pass} />;
    case "sign_up":
    case "manager":
      return <OpenAccount ticket={ticket} type={type} hasPass={has_pass} />;
    case null:
      return <Unusable error="other" type={null} />;
  }
}

interface UnusableProps {
  error: keyof typeof TICKET_ERRORS;
  type: TicketType | null;
}

/** Explains why the link is not valid, and what to do instead. */
function Unusable({ error, type }: UnusableProps) {
  const used = error === "activated";
  const next = used
    ? ({ to: PATHS.login, text: "Log in" } as const)
    : type === "sign_up"
      ? ({ to: PATHS.signup, text: "Sign up again" } as const)
      : ({ to: PATHS.recovery, text: "Request a new link" } as const);
  return (
    <div className={classes.told} role="alert">
      <p>{TICKET_ERRORS[error]}</p>
      {type === "manager" && !used ? (
        <p>Ask the person who invited you for a new invitation.</p>
      ) : (
        <Button renderRoot={(props) => <Link {...props} to={next.to} />}>{next.text}</Button>
      )}
    </div>
  );
}
