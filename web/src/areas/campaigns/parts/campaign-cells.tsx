import type { CampaignRow, InhouseRow } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { PATHS } from "../../../shared/paths.ts";
import { SupportText } from "../../../shared/support-text.tsx";
import { Switch } from "../../../ui/form/switch.tsx";
import { Initials } from "../../../ui/initials.tsx";
import type { Column } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { isRunning } from "../campaign-status.ts";
import { StatusPill } from "./pills.tsx";
import classes from "./parts.module.css";

/** What the lists of campaigns and of cross promotions let their users do. */
export interface CampaignActions<Campaign> {
  mayManage: boolean;
  /** Ids of the campaigns whose status is being changed. */
  pending: ReadonlySet<string>;
  /** Why the last change of a campaign's status was refused, by its id. */
  refused: ReadonlyMap<string, string>;
  onSwitch: (campaign: Campaign) => void;
  onDelete: (campaign: Campaign) => void;
}

interface CampaignCellProps<Campaign> {
  campaign: Campaign;
  name: string;
  /** Shown small below the name. */
  line: ReactNode;
  actions: CampaignActions<Campaign>;
  children?: ReactNode;
}

/** A campaign of a list: its name, its switch, its status and the reason for it. */
export function CampaignCell<Campaign extends CampaignRow | InhouseRow>(props: CampaignCellProps<Campaign>) {
  const { campaign, name, line, actions, children } = props;
  const { uuid, image_url, status, campaign_status, status_reason } = campaign;
  const refusal = actions.refused.get(uuid);
  return (
    <div className={classes.campaign}>
      <Initials name={name} image={image_url} size={32} />
      <div className={classes.about}>
        <b title={name}>{name}</b>
        {line}
        <div className={classes.state}>
          {actions.mayManage ? (
            <Switch
              label={`Run ${name}`}
              words={isRunning(status) ? "Run" : "Frozen"}
              on={isRunning(status)}
              pending={actions.pending.has(uuid)}
              onChange={() => actions.onSwitch(campaign)}
            />
          ) : null}
          <StatusPill status={campaign_status} />
        </div>
        {status_reason === null ? null : (
          <p className={classes.reason}>
            <SupportText text={status_reason} />
          </p>
        )}
        {children}
        {refusal === undefined ? null : (
          <p className={classes.refusal} role="alert">
            <SupportText text={refusal} />
          </p>
        )}
      </div>
    </div>
  );
}

/** The column with "Edit" and "Delete"; none for users who may do neither. */
export function editAndDeleteColumn<Campaign extends { uuid: string }>(
  { mayManage, onDelete }: Pick<CampaignActions<Campaign>, "mayManage" | "onDelete">,
  { form, nameOf }: { form: typeof PATHS.campaignEdit | typeof PATHS.inhouseEdit; nameOf: (of: Campaign) => string },
): Column<{ campaign: Campaign | null }>[] {
  if (!mayManage) return [];
  const actions = (campaign: Campaign) => (
    <>
      <Link
        to={form}
        params={{ uuid: campaign.uuid }}
        search={{}}
        className={classes.edit}
        aria-label={`Edit ${nameOf(campaign)}`}
      >
        Edit
      </Link>
      <RowAction label="Delete" of={nameOf(campaign)} onClick={() => onDelete(campaign)} />
    </>
  );
  return [actionsColumn(({ campaign }) => campaign && actions(campaign))];
}
