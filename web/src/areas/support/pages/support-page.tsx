import { type OwnSupportMessage, loadingText, notFoundText } from "@millrace/contract";
import { useState } from "react";
import { useKnownSession } from "../../../shared/session.ts";
import { PageTitle } from "../../../ui/page-title.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { formatMoment } from "../../../shared/day-text.ts";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { useSupportMessages } from "../api.ts";
import { MessageForm } from "../parts/message-form.tsx";
import classes from "./support-page.module.css";

/** A form to write to support, and the answers to earlier messages. */
export function SupportPage() {
  const [reply, setReply] = useState("");
  const switched = useKnownSession()?.is_switched === true;
  return (
    <>
      <PageTitle text="Support" />
      <div className={classes.page}>
        <Panel title="Write to support">
          <p className={classes.about}>
            Ask anything: a number that looks wrong, a banned app, a refill of your campaign balance.
          </p>
          <MessageForm rows={7} onSent={setReply} />
          <p className={classes.sent} role="status">
            {reply}
          </p>
        </Panel>
        {switched ? null : <OwnMessages />}
      </div>
    </>
  );
}

function OwnMessages() {
  const query = useSupportMessages();
  return (
    <LoadedBlock
      title="Your messages"
      query={query}
      loading={loadingText("messages")}
      skeleton={<RowsSkeleton rows={4} height={60} />}
      isEmpty={({ messages }) => messages.length === 0}
      empty={
        <EmptyNote title={notFoundText("messages")} why="Your messages to support appear here with their answers." />
      }
    >
      {({ messages }) => (
        <ol className={classes.messages}>
          {messages.map((message) => (
            <Message key={message.uuid} {...message} />
          ))}
        </ol>
      )}
    </LoadedBlock>
  );
}

function Message({ created_at, message, state, reply, replied_at }: OwnSupportMessage) {
  return (
    <li>
      <p className={classes.facts}>
        <time dateTime={created_at}>{formatMoment(created_at)} UTC</time>
        <span className={classes.state} data-state={state}>
          {state === "open" ? "Waiting for an answer" : "Answered"}
        </span>
      </p>
      <p className={classes.text}>{message}</p>
      {reply === null || replied_at === null ? null : (
        <blockquote className={classes.reply}>
          <p className={classes.facts}>
            Support, <time dateTime={replied_at}>{formatMoment(replied_at)} UTC</time>
          </p>
          <p className={classes.text}>{reply}</p>
        </blockquote>
      )}
    </li>
  );
}
