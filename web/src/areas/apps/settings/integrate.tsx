import type { AppIdentity, Zone } from "@millrace/contract";
import { FirstSteps } from "../../../shared/first-steps/first-steps.tsx";
import { useMayUse } from "../../../shared/session.ts";
import { TestAd } from "../../../shared/test-ad/test-ad.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { DebugToken } from "./debug-token.tsx";
import { InstructionFrame } from "./instruction-frame.tsx";
import classes from "./instruction-frame.module.css";

interface IntegrateProps {
  uuid: string;
  /** Undefined while it loads; the instructions do not wait for it. */
  app: AppIdentity | undefined;
  zones?: readonly Zone[] | undefined;
}

/** How to get an app's first ad: what is done, the snippets, a test ad, and a token for the debugger. */
export function Integrate({ uuid, app, zones }: IntegrateProps) {
  const may = useMayUse();
  return (
    <div className={classes.integrate}>
      {app ? <FirstSteps app={app} hasSnippets /> : null}
      {app && may("instructions.read") ? (
        <Panel title="Test ad">
          <TestAd app={app} {...(zones && { zones })} />
        </Panel>
      ) : null}
      {may("instructions.read") ? (
        <Panel title="Debugger">
          <DebugToken uuid={uuid} />
        </Panel>
      ) : null}
      <InstructionFrame uuid={uuid} />
    </div>
  );
}
