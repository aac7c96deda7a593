import { Button } from "@mantine/core";
import { type Profile, SOCIAL_LABELS, type SocialService, linkSocial } from "@millrace/contract";
import { addressOf } from "../../../../shared/call-api.ts";
import { ConfirmModal } from "../../../../ui/modal/confirm-modal.tsx";
import { useDialog } from "../../../../ui/modal/use-dialog.ts";
import { Panel } from "../../../../ui/panel.tsx";
import { useUnlinkSocial } from "../api.ts";
import { useReturnError } from "../use-return-error.ts";
import classes from "./parts.module.css";
import { Row } from "./row.tsx";

/** Identity providers that the user can also sign in with. */
export function SocialAccounts({ accounts }: { accounts: Profile["accounts"] }) {
  const returnError = useReturnError();
  const unlink = useUnlinkSocial();
  const { subject: leaving, opened, open, close } = useDialog<SocialService>();
  const label = leaving === null ? "" : SOCIAL_LABELS[leaving];
  return (
    <Panel title="Additional sign in options">
      {returnError === null ? null : (
        <p className={classes.failed} role="alert">
          {returnError}
        </p>
      )}
      {accounts.length === 0 ? (
        <p className={classes.about}>This platform offers no other way to sign in.</p>
      ) : (
        <dl className={classes.rows}>
          {accounts.map(({ service, linked, email }) => (
            <Row
              key={service}
              label={SOCIAL_LABELS[service]}
              action={
                linked ? (
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={`Remove ${SOCIAL_LABELS[service]}`}
                    onClick={() => open(service)}
                  >
                    Remove
                  </Button>
                ) : (
                  // A navigation, because the identity provider's page comes next.
                  <Button
                    component="a"
                    href={addressOf(linkSocial, { service }, {})}
                    variant="default"
                    size="xs"
                    aria-label={`Link ${SOCIAL_LABELS[service]}`}
                  >
                    Link
                  </Button>
                )
              }
            >
              {linked ? (email ?? "linked") : <span className={classes.faint}>not linked</span>}
            </Row>
          ))}
        </dl>
      )}
      <ConfirmModal
        opened={opened}
        onClose={close}
        title={`Remove ${label}`}
        confirm={`Remove ${label}`}
        onConfirm={() => (leaving === null ? Promise.resolve() : unlink.mutateAsync(leaving))}
      >
        You will no longer be able to sign in with this {label} account. The {label} account itself does not change.
      </ConfirmModal>
    </Panel>
  );
}
