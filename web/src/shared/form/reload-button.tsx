import { TEXTS } from "@millrace/contract";
import { useState } from "react";
import { useNotify } from "../../ui/notify/notify.tsx";
import { WorkButton } from "../../ui/work-button.tsx";
import { messageOf } from "../call-api.ts";

/** Loads what a form edits once more, as `refetch` of its query does. */
export type Reload = () => Promise<{ error: unknown }>;

interface ReloadIfStaleProps {
  /** Of the refused save. */
  message: string | null;
  /** Absent for a form of something new. */
  onReload: Reload | undefined;
}

/** The button beside the refusal of a form that others have changed; nothing beside any other message. */
export const ReloadIfStale = ({ message, onReload }: ReloadIfStaleProps) =>
  message === TEXTS.stale && onReload ? <ReloadButton onReload={onReload} /> : null;

/** Shows what is saved in place of what was entered. */
function ReloadButton({ onReload }: { onReload: Reload }) {
  const [isLoading, setIsLoading] = useState(false);
  const { tell } = useNotify();
  const reload = async () => {
    const isInDialog = document.activeElement?.closest("[role=dialog]") !== null;
    setIsLoading(true);
    const { error } = await onReload();
    setIsLoading(false);
    if (error !== null) tell(messageOf(error), "failed");
    // The button disappears with the form. A dialog that opens anew takes the focus by itself.
    else if (!isInDialog) document.querySelector<HTMLElement>("h1")?.focus();
  };
  return (
    <WorkButton variant="default" working={isLoading} onClick={() => void reload()}>
      Reload
    </WorkButton>
  );
}
