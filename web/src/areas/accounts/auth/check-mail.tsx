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
  /** Back to the form, to send it again; null where that would be refused. */
  onBack: (() => void) | null;
}

/** A mail is on its way. Whether the address is known here is told in the mail alone. */
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
      {mailbox ? (
        <p>
          This platform keeps its mails itself: <a href={mailbox}>open the mailbox</a>.
        </p>
      ) : null}
      <p className={classes.small}>
        Nothing came? Look among unwanted mails
        {onBack === null ? (
          ", or begin again after a while."
        ) : (
          <>
            , or <LinkButton onClick={onBack}>send it again</LinkButton>
          </>
        )}
      </p>
    </div>
  );
}
