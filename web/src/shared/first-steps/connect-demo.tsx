import { WorkButton } from "../../ui/work-button.tsx";
import { messageOf } from "../call-api.ts";
import classes from "./first-steps.module.css";
import { useConnectDemoPartners } from "./use-first-steps.ts";

/** Connects an app to all partners of the demo, whose keys nobody has to look up. `isSecond` beside another main button. */
export function ConnectDemo({ uuid, isSecond = false }: { uuid: string; isSecond?: boolean }) {
  const connect = useConnectDemoPartners(uuid);
  return (
    <>
      <WorkButton
        size={isSecond ? "sm" : "xs"}
        variant={isSecond ? "default" : "filled"}
        working={connect.isPending}
        onClick={() => connect.mutate()}
      >
        Connect the demo's partners
      </WorkButton>
      <span className={classes.error} role="alert">
        {connect.isError ? messageOf(connect.error) : null}
      </span>
    </>
  );
}
