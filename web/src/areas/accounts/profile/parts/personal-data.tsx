import { Button } from "@mantine/core";
import { type Profile, downloadPersonalData } from "@millrace/contract";
import { useState } from "react";
import { addressOf, messageOf } from "../../../../shared/call-api.ts";
import { DownloadIcon } from "../../../../ui/icons.tsx";
import { Modal } from "../../../../ui/modal/modal.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { useExportPersonalData } from "../api.ts";
import { dayText } from "../../../../shared/day-text.ts";
import { usePassingMessage } from "../use-passing-message.ts";
import { DeleteAccount } from "./delete-account.tsx";
import classes from "./parts.module.css";

/** Exports the personal data as a file. */
export function ExportData({ made }: { made: Profile["export"] }) {
  const ask = useExportPersonalData();
  const [done, sayDone] = usePassingMessage();
  const working = made?.state === "working";
  return (
    <Panel title="Export personal data">
      <p className={classes.about}>
        All data stored about you, as a JSON file. Preparing it takes a moment; you get a mail when it is ready.
      </p>
      <p className={made?.state === "failed" ? classes.warning : classes.fact}>{stateText(made)}</p>
      <div className={classes.buttons}>
        {made?.state === "ready" ? (
          <Button
            component="a"
            href={addressOf(downloadPersonalData, { id: made.uuid }, {})}
            download="personal-data.json"
            leftSection={<DownloadIcon />}
          >
            Download
          </Button>
        ) : null}
        <Button
          variant="default"
          loading={ask.isPending}
          disabled={working}
          onClick={() => ask.mutate(undefined, { onSuccess: ({ message }) => sayDone(message) })}
        >
          {made === null ? "Export my data" : "Export again"}
        </Button>
      </div>
      <p className={classes.done} role="status">
        {done}
      </p>
      <p className={classes.failed} role="alert">
        {ask.error ? messageOf(ask.error) : null}
      </p>
    </Panel>
  );
}

function stateText(made: Profile["export"]): string {
  switch (made?.state) {
    case undefined:
      return "No data has been exported yet.";
    case "working":
      return "Your data is being prepared …";
    case "failed":
      return `The export of ${dayText(made.created_at)} failed. Please try again.`;
    case "ready":
      return `Created ${dayText(made.created_at)}; available until ${dayText(made.expires_at)}.`;
  }
}

/** Deletes the account after explaining the consequences. */
export function EndOfAccount({ profile }: { profile: Profile }) {
  const [open, setOpen] = useState(false);
  return (
    <Panel title="Delete account">
      <p className={classes.about}>
        Your apps stop serving, your sub-users and managers lose access, and all personal data is deleted. This cannot
        be undone.
      </p>
      <div className={classes.buttons}>
        <Button variant="default" className={classes.danger ?? ""} onClick={() => setOpen(true)}>
          Delete account
        </Button>
      </div>
      <Modal opened={open} onClose={() => setOpen(false)} title="Delete account" width={460}>
        <DeleteAccount profile={profile} onCancel={() => setOpen(false)} />
      </Modal>
    </Panel>
  );
}
