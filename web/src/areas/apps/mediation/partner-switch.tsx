import { CAMPAIGN_PROVIDER, type PartnerScore } from "@millrace/contract";
import { useRef, useState } from "react";
import { messageOf } from "../../../shared/call-api.ts";
import { Switch } from "../../../ui/form/switch.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { useSwitchPartner } from "../api.ts";
import { KeysLink } from "./other-partners.tsx";
import classes from "./scorecard.module.css";

/** What campaigns are among the partners: nobody is asked for them. */
export const CAMPAIGNS_ARE = "advertisers of this platform";

/** Switches a partner on or off from the next auction on, and takes the last change back. */
export function PartnerSwitch({ uuid, partner }: { uuid: string; partner: PartnerScore }) {
  const { id, name, keyed, active, enabled } = partner;
  const change = useSwitchPartner(uuid);
  // The state that the last change set; somebody else may have turned it back since.
  const [changedTo, setChangedTo] = useState<boolean | null>(null);
  const place = useRef<HTMLSpanElement>(null);
  if (id === CAMPAIGN_PROVIDER.id) return <span className={classes.faint}>{CAMPAIGNS_ARE}</span>;
  if (!active) return <span className={classes.faint}>disabled by the platform</span>;
  if (keyed.length === 0) return <KeysLink uuid={uuid} partner={name} />;
  const turn = (on: boolean, undoable: boolean) =>
    change.mutate({ partner: id, enabled: on }, { onSuccess: () => setChangedTo(undoable ? on : null) });
  return (
    // The last column stays in sight where the table is wider than its place.
    <span ref={place} className={classes.switching} data-row-actions="">
      {change.isError && change.variables.enabled !== enabled ? (
        <span className={classes.refused} role="alert">
          {messageOf(change.error)}
        </span>
      ) : null}
      <Switch
        label={`${name} takes part`}
        words={enabled ? "on" : "off"}
        on={enabled}
        pending={change.isPending}
        onChange={(on) => turn(on, true)}
      />
      {changedTo === enabled ? (
        <span className={classes.undo} role="status">
          {enabled ? "On" : "Off"} from the next auction.{" "}
          <LinkButton
            onClick={() => {
              turn(!enabled, false);
              // The pressed button disappears.
              place.current?.querySelector<HTMLElement>("[role=switch]")?.focus();
            }}
          >
            Undo
          </LinkButton>
        </span>
      ) : null}
    </span>
  );
}
