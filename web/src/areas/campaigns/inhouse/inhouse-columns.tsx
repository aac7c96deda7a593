import { INHOUSE_FORMAT_LABELS, type InhouseRow } from "@millrace/contract";
import { formatCount, formatCountExact, formatMoneyExact } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import { PATHS } from "../../../shared/paths.ts";
import { Switch } from "../../../ui/form/switch.tsx";
import { Initials } from "../../../ui/initials.tsx";
import type { Column } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { isRunning } from "../campaign-status.ts";
import partClasses from "../parts/parts.module.css";
import { StatusPill } from "../parts/pills.tsx";
import classes from "./inhouse.module.css";
import { namesText } from "./names-text.ts";

/** A row of the list: an in-house campaign, or null for the total. */
export interface InhouseLine {
  campaign: InhouseRow | null;
  figures: Pick<InhouseRow, "impressions" | "clicks" | "installs">;
}

interface Doing {
  mayManage: boolean;
  /** Campaigns whose status is being changed. */
  pending: ReadonlySet<string>;
  /** Why the last change of a campaign's status failed, by its id. */
  refused: ReadonlyMap<string, string>;
  onSwitch: (campaign: InhouseRow) => void;
  onDelete: (campaign: InhouseRow) => void;
}

export function inhouseColumns(doing: Doing): Column<InhouseLine>[] {
  const { mayManage, onDelete } = doing;
  return [
    { id: "title", head: "Campaign", cell: (line) => <CampaignCell line={line} doing={doing} /> },
    count("impressions", "Impressions", true),
    count("clicks", "Clicks"),
    count("installs", "Installs"),
    {
      id: "shown_in",
      head: "Shown in",
      cell: ({ campaign }) =>
        campaign && (
          <span className={classes.shown} title={campaign.shown_in.join("\n")}>
            {campaign.shown_in.length === 0 ? "none" : namesText(campaign.shown_in)}
          </span>
        ),
    },
    {
      id: "kind",
      head: "Delivery",
      numeric: true,
      cell: ({ campaign }) =>
        campaign && (
          <span className={classes.kind}>
            {campaign.price === 0 ? "Fills unsold places" : `Competes at ${formatMoneyExact(campaign.price)}`}
            <small>{INHOUSE_FORMAT_LABELS[campaign.format]}</small>
          </span>
        ),
    },
    ...(mayManage
      ? [
          actionsColumn<InhouseLine>(
            ({ campaign }) =>
              campaign && (
                <>
                  <Link
                    to={PATHS.inhouseEdit}
                    params={{ uuid: campaign.uuid }}
                    search={{}}
                    className={partClasses.edit}
                    aria-label={`Edit ${campaign.title}`}
                  >
                    Edit
                  </Link>
                  <RowAction label="Delete" of={campaign.title} onClick={() => onDelete(campaign)} />
                </>
              ),
          ),
        ]
      : []),
  ];
}

const count = (id: keyof InhouseLine["figures"], head: string, leads = false): Column<InhouseLine> => ({
  id,
  head,
  numeric: true,
  ...(leads && { leads }),
  cell: ({ figures }) => formatCount(figures[id]),
  exact: ({ figures }) => formatCountExact(figures[id]),
});

function CampaignCell({ line: { campaign }, doing }: { line: InhouseLine; doing: Doing }) {
  if (campaign === null) return "Total";
  const { uuid, title, image_url, app, status, campaign_status, status_reason } = campaign;
  const refusal = doing.refused.get(uuid);
  return (
    <div className={partClasses.campaign}>
      <Initials name={title} image={image_url} size={32} />
      <div className={partClasses.about}>
        <b title={title}>{title}</b>
        <small>{app === null ? "Promotes a deleted app" : `Promotes ${app.name}`}</small>
        <div className={partClasses.state}>
          {doing.mayManage ? (
            <Switch
              label={`Run ${title}`}
              words={isRunning(status) ? "Run" : "Frozen"}
              on={isRunning(status)}
              pending={doing.pending.has(uuid)}
              onChange={() => doing.onSwitch(campaign)}
            />
          ) : null}
          <StatusPill status={campaign_status} />
        </div>
        {status_reason === null ? null : <p className={partClasses.reason}>{status_reason}</p>}
        {refusal === undefined ? null : (
          <p className={partClasses.refusal} role="alert">
            {refusal}
          </p>
        )}
      </div>
    </div>
  );
}
