import type { Profile, Side } from "@millrace/contract";
import { messageOf } from "../../../../shared/call-api.ts";
import { useNotify } from "../../../../ui/notify/notify.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { WorkButton } from "../../../../ui/work-button.tsx";
import { useOpenSide } from "../api.ts";
import classes from "./parts.module.css";

const WORDS = {
  apps: {
    about:
      "Your account runs campaigns. Open apps to also show ads in your own apps: you get the app list, its statistics, demand partners and an earnings balance.",
    action: "Open apps",
    done: "Apps are open",
  },
  campaign: {
    about:
      "Your account runs apps. Open campaigns to also advertise: you get the campaign list, its statistics and a campaign balance, which support refills.",
    action: "Open campaigns",
    done: "Campaigns are open",
  },
} as const satisfies Record<Side, { about: string; action: string; done: string }>;

/** Offers to open the side of the product that the account does not have yet. */
export function OtherSide({ roles }: { roles: Pick<Profile["roles"], "can_apps"> }) {
  const side: Side = roles.can_apps ? "campaign" : "apps";
  const { about, action, done } = WORDS[side];
  const { tell } = useNotify();
  const open = useOpenSide();
  const onOpen = () =>
    open.mutate(side, { onSuccess: () => tell(done), onError: (failure) => tell(messageOf(failure), "failed") });
  return (
    <Panel title="Apps and campaigns">
      <p className={classes.about}>{about} Nothing that you have now changes. An opened side cannot be closed again.</p>
      <WorkButton variant="default" working={open.isPending} onClick={onOpen}>
        {action}
      </WorkButton>
    </Panel>
  );
}
