import type { ReactNode } from "react";
import { useSite } from "../../../shared/site.ts";
import { MailIcon } from "../../../ui/icons.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { useTakenFocus } from "../../../ui/use-taken-focus.ts";
import classes from "./auth.module.css";

interface CheckMailProps {
  email: string;
  /** What the link in the mail does. */
  children: ReactNode;
  /** Returns to the form to send it again; null if the server would refuse that. */
  onBack: (() => void) | null;
}

/** Confirms that a mail was sent. Only the mail reveals whether the address has an account. */
export function CheckMail({ email, children, onBack }: CheckMailProps) {
  const mailbox = useSite().data?.mailbox;
  const title = useTakenFocus<HTMLParagraphElement>();
  return (
    <div className={classes.sent}>
      <MailIcon />
      <p ref={title} tabIndex={-1} className={classes.sentTitle}>
        Check your mail
      </p>
      <p>
        A message was sent to <strong>{email}</strong>. {children}
      </p>
      {mailbox ? <KeptMails {...mailbox} /> : null}
      <p className={classes.small}>
        Did not get it? Check your spam folder
        {onBack === null ? (
          ", or try again later."
        ) : (
          <>
            , or <LinkButton onClick={onBack}>send it again</LinkButton>
          </>
        )}
      </p>
    </div>
  );
}

/** A demo sends no mails. The address printed at startup opens its mailbox and keeps it open in that browser. */
const KeptMails = ({ path, is_open }: { path: string; is_open: boolean }) =>
  is_open ? (
    <p>
      {" "}
      This demo sends no mail: <a href={path}>open the mailbox</a>.{" "}
    </p>
  ) : (
    <p>This demo sends no mail. To read its messages, open the “Mails” address that the platform printed at startup.</p>
  );
