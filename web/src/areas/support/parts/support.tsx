import { useRouterState } from "@tanstack/react-router";
import { Suspense, lazy, useId, useState } from "react";
import { PATHS } from "../../../shared/paths.ts";
import { ChatIcon } from "../../../ui/icons.tsx";
import { useSupport } from "../api.ts";
import { SupportChat } from "./support-chat.tsx";
import classes from "./support.module.css";

const MessagePanel = lazy(async () => ({ default: (await import("./message-panel.tsx")).MessagePanel }));

/** Support on every page: a chat if the platform has one, otherwise a small message panel. */
export function Support() {
  const ways = useSupport().data;
  const atSupport = useRouterState({ select: ({ location }) => location.pathname === PATHS.support });
  if (ways === undefined) return null;
  if (ways.chat) return <SupportChat chat={ways.chat} />;
  // The support page has its own form. A started message must not be lost by a look at it.
  return (
    <div hidden={atSupport}>
      <MessageOpener />
    </div>
  );
}

function MessageOpener() {
  const panel = useId();
  const [open, setOpen] = useState(false);
  // Once opened, the panel stays mounted: closing it by a stray click must not lose a started message.
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
            <MessagePanel panel={panel} open={open} />
          </Suspense>
        ) : null}
      </div>
    </>
  );
}
