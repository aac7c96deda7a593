import { Suspense, lazy, useId, useState } from "react";
import { ChatIcon } from "../../../ui/icons.tsx";
import { useSupport } from "./api.ts";
import { SupportChat } from "./support-chat.tsx";
import classes from "./support.module.css";

const MailPanel = lazy(async () => ({ default: (await import("./mail-panel.tsx")).MailPanel }));

/** The way to support on every page: a chat where the platform has one, else a small panel that sends a mail. */
export function Support() {
  const ways = useSupport().data;
  if (ways?.chat) return <SupportChat chat={ways.chat} />;
  return ways?.mail ? <MailSupport /> : null;
}

function MailSupport() {
  const panel = useId();
  const [open, setOpen] = useState(false);
  // Once it was open it stays, closed too: a stray click closes it, and must not take away what is begun.
  const [wasOpen, setWasOpen] = useState(false);
  if (open && !wasOpen) setWasOpen(true);
  return (
    <>
      <button type="button" className={classes.opener} popoverTarget={panel} aria-label="Support" title="Support">
        <ChatIcon />
      </button>
      <div
        id={panel}
        popover="auto"
        role="dialog"
        aria-label="Support"
        className={classes.panel}
        onToggle={(event) => setOpen(event.newState === "open")}
      >
        {wasOpen ? (
          <Suspense>
            <MailPanel panel={panel} open={open} />
          </Suspense>
        ) : null}
      </div>
    </>
  );
}
