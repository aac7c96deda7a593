import type { NewsMail } from "@millrace/contract";
import { messageOf } from "../../../shared/call-api.ts";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { WorkButton } from "../../../ui/work-button.tsx";
import { useSendNewsAgain } from "../api.ts";
import { formatMoment } from "../../../shared/day-text.ts";
import { peopleText } from "./news-form.tsx";
import classes from "./parts.module.css";

/** Sent news, and buttons to resend mails that did not arrive. */
export function SentNews({ news, onDone }: { news: NewsMail; onDone: () => void }) {
  const { message, sent_at, sent_by, counts } = news;
  return (
    <>
      <p className={classes.about}>
        Sent {formatMoment(sent_at)} UTC by {sent_by ?? "a deleted user"}:
      </p>
      <p className={classes.quote}>{message}</p>
      {counts.failed === 0 ? null : (
        <SendAgain uuid={news.uuid} state="failed" onDone={onDone}>
          Mail to {peopleText(counts.failed)} failed: the mail server did not accept it within half a day.
        </SendAgain>
      )}
      {counts.unknown === 0 ? null : (
        <SendAgain uuid={news.uuid} state="unknown" onDone={onDone}>
          The platform stopped while sending mail to {peopleText(counts.unknown)}. They may already have received it.
        </SendAgain>
      )}
    </>
  );
}

interface SendAgainProps {
  uuid: string;
  state: "failed" | "unknown";
  onDone: () => void;
  children: React.ReactNode;
}

function SendAgain({ uuid, state, onDone, children }: SendAgainProps) {
  const { tell } = useNotify();
  const again = useSendNewsAgain();
  const send = () =>
    again.mutate(
      { id: uuid, state },
      {
        onSuccess: ({ people }) => {
          tell(`Sending the news to ${peopleText(people)}`);
          onDone();
        },
      },
    );
  return (
    <section className={classes.left}>
      <p className={classes.about}>{children}</p>
      <WorkButton variant="default" working={again.isPending} onClick={send}>
        {state === "failed" ? "Send again" : "Send again anyway"}
      </WorkButton>
      <p className={classes.failed} role="alert">
        {again.isError ? messageOf(again.error) : null}
      </p>
    </section>
  );
}
