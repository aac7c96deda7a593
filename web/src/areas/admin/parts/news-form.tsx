import { NEWS_LIMITS, sendNews } from "@millrace/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { newsQuery, useSendNews } from "../api.ts";
import { newKey } from "../../../shared/new-key.ts";
import classes from "./parts.module.css";

export const peopleText = (people: number) => (people === 1 ? "1 person" : `${people} people`);

/** Writes to all subscribers of news. */
export function NewsForm({ onDone }: { onDone: () => void }) {
  const { tell } = useNotify();
  const send = useSendNews();
  const subscribers = useQuery(newsQuery({ search: "", p: 0 })).data?.subscribers;
  // One key while the form is open, so a retry after a lost reply sends the news once.
  const [key] = useState(newKey);
  const form = useContractForm({
    schema: sendNews.body.omit({ key: true }),
    initial: { subject: "", message: "" },
    send: (body) => send.mutateAsync({ ...body, key }),
    onDone: ({ people }) => {
      tell(`Sending the news to ${peopleText(people)}`);
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <p className={classes.about} role="status">
        {subscribers === undefined ? "" : subscribersText(subscribers)}
      </p>
      <TextField {...form.field("subject")} label="Subject" maxLength={NEWS_LIMITS.subject} data-autofocus />
      <TextAreaField
        {...form.field("message")}
        label="Text"
        description="Plain text, one paragraph per line. An unsubscribe link is added."
        rows={10}
        maxLength={NEWS_LIMITS.message}
      />
      <Submit {...form.submit}>Send news</Submit>
    </Form>
  );
}

const subscribersText = (subscribers: number): string =>
  subscribers === 0
    ? "Nobody is subscribed to news."
    : `This will be sent to ${peopleText(subscribers)} and cannot be undone.`;
