import { type DeskMessage, answerSupport } from "@millrace/contract";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useAnswerSupport } from "../api.ts";
import { formatMoment } from "../../../shared/day-text.ts";
import classes from "./parts.module.css";

/** A full message with its answer, or the form to write one. */
export function SupportMessage({ message, onDone }: { message: DeskMessage; onDone: () => void }) {
  const { writer, account, page, visitor, reply, replied_at, replied_by } = message;
  return (
    <>
      <dl className={classes.facts}>
        <dt>From</dt>
        <dd>
          {writer.name}, {writer.email}
          {writer.role === "" ? "" : ` (${writer.role})`}
        </dd>
        <dt>Account</dt>
        <dd>{account.name}</dd>
        <dt>Page</dt>
        <dd>{page}</dd>
        {visitor === null ? null : (
          <>
            <dt>Written by</dt>
            <dd>{visitor}, an admin switched in to the account</dd>
          </>
        )}
      </dl>
      <p className={classes.quote}>{message.message}</p>
      {reply === null || replied_at === null ? (
        <AnswerForm message={message} onDone={onDone} />
      ) : (
        <>
          <p className={classes.about}>
            Answered {formatMoment(replied_at)} UTC by {replied_by ?? "a deleted user"}:
          </p>
          <p className={classes.quote}>{reply}</p>
        </>
      )}
    </>
  );
}

function AnswerForm({ message, onDone }: { message: DeskMessage; onDone: () => void }) {
  const { tell } = useNotify();
  const answer = useAnswerSupport();
  const { uuid, writer, has_mailbox } = message;
  const form = useContractForm({
    schema: answerSupport.body,
    initial: { reply: "" },
    send: (body) => answer.mutateAsync({ id: uuid, ...body }),
    onDone: () => {
      tell(`Your answer was sent to ${writer.name}`);
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <TextAreaField
        {...form.field("reply")}
        label="Answer"
        description={
          has_mailbox
            ? "Sent by mail and shown on the writer's support page."
            : "The writer has no mailbox: the answer is shown on their support page."
        }
        rows={6}
        maxLength={5000}
        data-autofocus
      />
      <Submit {...form.submit}>Send answer</Submit>
    </Form>
  );
}
