import { DEBUG_TOKEN_MINUTES, debugToken } from "@millrace/contract";
import { useMutation } from "@tanstack/react-query";
import { callApi, messageOf } from "../../../shared/call-api.ts";
import { formatMoment } from "../../../shared/day-text.ts";
import { HelpLink } from "../../../shared/help-link.tsx";
import { CopyText } from "../../../ui/copy-text.tsx";
import { WorkButton } from "../../../ui/work-button.tsx";
import classes from "./debug-token.module.css";

/** Makes a token for the SDK's debugger in the app, which tells it what only the dashboard knows. */
export function DebugToken({ uuid }: { uuid: string }) {
  const make = useMutation({ mutationFn: () => callApi(debugToken, { params: { id: uuid } }) });
  return (
    <div className={classes.token}>
      <p className={classes.about}>
        Call <code>Millrace.showDebugger()</code> in the app and enter this token: the debugger then shows the
        app&apos;s partners, each partner&apos;s result in the last auctions, and test ads of a partner that you choose.
        Whoever has the token sees this for {DEBUG_TOKEN_MINUTES} minutes.{" "}
        <HelpLink to="publishers/debugger">What each line means</HelpLink>
      </p>
      <WorkButton variant="default" working={make.isPending} onClick={() => make.mutate()}>
        {make.data ? "Make another token" : "Make a debug token"}
      </WorkButton>
      <div role="status" className={classes.answer}>
        {make.data ? (
          <>
            <CopyText text={make.data.token} what="debug token" />
            <span className={classes.about}>Valid until {formatMoment(make.data.expires_at)} UTC</span>
          </>
        ) : null}
      </div>
      <p role="alert" className={classes.error}>
        {make.isError ? messageOf(make.error) : null}
      </p>
    </div>
  );
}
