import { Button } from "@mantine/core";
import type { Profile } from "@millrace/contract";
import { useState } from "react";
import { messageOf } from "../../../../shared/call-api.ts";
import { CopyText } from "../../../../ui/copy-text.tsx";
import { ConfirmModal } from "../../../../ui/modal/confirm-modal.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { useMakeAccessToken, useRevokeAccessToken } from "../api.ts";
import { dayText } from "../../../../shared/day-text.ts";
import classes from "./parts.module.css";

/** The account's token for the reporting calls, shown in full only once, right after it is created. */
export function AccessToken({ token }: { token: Profile["access_token"] }) {
  const make = useMakeAccessToken();
  const revoke = useRevokeAccessToken();
  const [pendingAction, setPendingAction] = useState<"rotate" | "revoke" | null>(null);
  const newToken = token === null ? undefined : make.data?.access_token;

  return (
    <Panel title="Access token">
      <p className={classes.about}>
        Lets your programs read apps, app-ads.txt, statistics, requests, campaigns and cross promotions as you, but
        nothing else.
      </p>
      {token === null ? (
        <div className={classes.buttons}>
          <Button loading={make.isPending} onClick={() => make.mutate()}>
            Create token
          </Button>
        </div>
      ) : (
        <>
          {newToken === undefined ? (
            <p className={classes.fact}>
              Ends in <b className={classes.code}>{token.hint}</b>, created {dayText(token.created_at)},{" "}
              {token.last_used_at === null ? "not used yet" : `last used ${dayText(token.last_used_at)}`}.
            </p>
          ) : (
            <div className={classes.once} role="status">
              <p>Copy it now: it is not shown again.</p>
              <span className={classes.code}>
                <CopyText text={newToken} what="the access token" />
              </span>
            </div>
          )}
          <p className={classes.usage}>Send it with every request:</p>
          <pre className={classes.command}>
            curl -H &quot;Authorization: Bearer {newToken ?? "YOUR_TOKEN"}&quot; {window.location.origin}/apps.json
          </pre>
          <div className={classes.buttons}>
            <Button variant="default" onClick={() => setPendingAction("rotate")}>
              Replace token
            </Button>
            <Button variant="default" onClick={() => setPendingAction("revoke")}>
              Revoke token
            </Button>
          </div>
        </>
      )}
      {make.error && pendingAction === null ? (
        <p className={classes.failed} role="alert">
          {messageOf(make.error)}
        </p>
      ) : null}
      <ConfirmModal
        opened={pendingAction === "rotate"}
        onClose={() => setPendingAction(null)}
        title="Replace the access token"
        confirm="Replace token"
        onConfirm={() => make.mutateAsync()}
      >
        You will get a new token. Programs that use the old one will stop working.
      </ConfirmModal>
      <ConfirmModal
        opened={pendingAction === "revoke"}
        onClose={() => setPendingAction(null)}
        title="Revoke the access token"
        confirm="Revoke token"
        onConfirm={() => revoke.mutateAsync()}
      >
        Programs that use it will stop working. You can create a new token at any time.
      </ConfirmModal>
    </Panel>
  );
}
