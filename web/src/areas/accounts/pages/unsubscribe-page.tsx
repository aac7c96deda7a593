import { Button } from "@mantine/core";
import { unsubscribe } from "@millrace/contract";
import { useMutation } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { callApi, messageOf } from "../../../shared/call-api.ts";
import { PATHS } from "../../../shared/paths.ts";
import { WorkButton } from "../../../ui/work-button.tsx";
import { CheckIcon } from "../../../ui/icons.tsx";
import { useTakenFocus } from "../../../ui/use-taken-focus.ts";
import { AuthFrame } from "../auth/auth-frame.tsx";
import classes from "../ticket/ticket.module.css";

/**
 * The page of the unsubscribe link in news mails. Nothing changes before the click, because mail scanners open links.
 */
export function UnsubscribePage() {
  const { link = "" } = useParams({ strict: false });
  const end = useMutation({ mutationFn: () => callApi(unsubscribe, { params: { link } }) });
  return (
    <AuthFrame title="News by mail">
      {end.isSuccess ? (
        <Ended />
      ) : (
        <div className={classes.told}>
          <p>You will get no more news from this platform. Mails about your account will still be sent.</p>
          <WorkButton working={end.isPending} onClick={() => end.mutate()}>
            Unsubscribe
          </WorkButton>
          <p className={classes.failed} role="alert">
            {end.isError ? messageOf(end.error) : null}
          </p>
        </div>
      )}
    </AuthFrame>
  );
}

function Ended() {
  const title = useTakenFocus<HTMLParagraphElement>();
  return (
    <div className={classes.told}>
      <p ref={title} tabIndex={-1} className={classes.good} role="status">
        <CheckIcon /> You are unsubscribed
      </p>
      <p>You can subscribe again in your profile.</p>
      <Button variant="default" renderRoot={(props) => <Link {...props} to={PATHS.profile} />}>
        Open my profile
      </Button>
    </div>
  );
}
