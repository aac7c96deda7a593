import { type CampaignRow, type CreativeStatus, PLATFORM_LABELS } from "@millrace/contract";
import { formatCount, formatCountExact, formatMoney, formatMoneyExact } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import { PATHS } from "../../../shared/paths.ts";
import { SupportText } from "../../../shared/support-text.tsx";
import { Switch } from "../../../ui/form/switch.tsx";
import { Initials } from "../../../ui/initials.tsx";
import type { Column } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { creativeState, isRunning } from "../campaign-status.ts";
import { CreativePill, StatusPill } from "./pills.tsx";
import classes from "./parts.module.css";

/** A row of the list: a campaign, or null for the total. */
export interface CampaignLine {
  campaign: CampaignRow | null;
  figures: Pick<CampaignRow, "impressions" | "clicks" | "conversions" | "costs">;
}

export interface Doing {
  mayManage: boolean;
  /** Campaigns whose status is being changed. */
  pending: ReadonlySet<string>;
  /** Why the last change of a campaign's status was refused, by its id. */
  refused: ReadonlyMap<string, string>;
  onSwitch: (campaign: CampaignRow) => void;
  onDelete: (campaign: CampaignRow) => void;
  /** Asks where its opportunities went. */
  onWhy: (campaign: CampaignRow) => void;
}

export function campaignColumns(doing: Doing): Column<CampaignLine>[] {
  const { mayManage, onDelete } = doing;
  return [
    { id: "name", head: "Campaign", cell: (line) => <CampaignCell line={line} doing={doing} /> },
    {
      id: "costs",
      head: "Costs",
      numeric: true,
      leads: true,
      cell: ({ figures }) => formatMoney(figures.costs),
      exact: ({ figures }) => formatMoneyExact(figures.costs),
    },
    count("impressions", "Impressions"),
    count("clicks", "Clicks"),
    count("conversions", "Conversions"),
    {
      id: "budget",
      head: "Budget",
      numeric: true,
      cell: ({ campaign }) =>
        campaign && (
          <span className={classes.budget}>
            {formatMoney(campaign.daily)} a day
            <small>{campaign.budget === 0 ? "no limit in all" : `${formatMoney(campaign.budget)} in all`}</small>
          </span>
        ),
    },
    { id: "creatives", head: "Creatives", cell: ({ campaign }) => campaign && <Creatives campaign={campaign} /> },
    ...(mayManage
      ? [
          actionsColumn<CampaignLine>(
            ({ campaign }) =>
              campaign && (
                <>
                  <Link
                    to={PATHS.campaignEdit}
                    params={{ uuid: campaign.uuid }}
                    search={{}}
                    className={classes.edit}
                    aria-label={`Edit ${campaign.name}`}
                  >
                    Edit
                  </Link>
                  <RowAction label="Delete" of={campaign.name} onClick={() => onDelete(campaign)} />
                </>
              ),
          ),
        ]
      : []),
  ];
}

const count = (id: "impressions" | "clicks" | "conversions", head: string): Column<CampaignLine> => ({
  id,
  head,
  numeric: true,
  cell: ({ figures }) => formatCount(figures[id]),
  exact: ({ figures }) => formatCountExact(figures[id]),
});

function CampaignCell({ line: { campaign }, doing }: { line: CampaignLine; doing: Doing }) {
  if (campaign === null) return "Total";
  const { uuid, name, image_url, app_platform, bundle_id, status, campaign_status, status_reason } = campaign;
  const refusal = doing.refused.get(uuid);
  return (
    <div className={classes.campaign}>
      <Initials name={name} image={image_url} size={32} />
      <div className={classes.about}>
        <b title={name}>{name}</b>
        <small title={bundle_id}>
          {PLATFORM_LABELS[app_platform]} · {bundle_id}
        </small>
        <div className={classes.state}>
          {doing.mayManage ? (
            <Switch
              label={`Run ${name}`}
              words={isRunning(status) ? "Run" : "Frozen"}
              on={isRunning(status)}
              pending={doing.pending.has(uuid)}
              onChange={() => doing.onSwitch(campaign)}
            />
          ) : null}
          <StatusPill status={campaign_status} />
        </div>
        {status_reason === null ? null : (
          <p className={classes.reason}>
            <SupportText text={status_reason} />
          </p>
        )}
        <button
          type="button"
          className={classes.why}
          aria-label={`Why is it not spending more? ${name}`}
          onClick={() => doing.onWhy(campaign)}
        >
          Why is it not spending more?
        </button>
        {refusal === undefined ? null : (
          <p className={classes.refusal} role="alert">
            <SupportText text={refusal} />
          </p>
        )}
      </div>
    </div>
  );
}

/** How many creatives a campaign has in each state; hover tells which. */
function Creatives({ campaign: { creative_status } }: { campaign: CampaignRow }) {
  if (creative_status.length === 0) return "none";
  const states = new Map<CreativeStatus, CampaignRow["creative_status"]>();
  for (const creative of creative_status) {
    const state = creativeState(creative.status);
    states.set(state, [...(states.get(state) ?? []), creative]);
  }
  return (
    <span className={classes.creatives}>
      {[...states].map(([state, creatives]) => (
        <span key={state} title={creatives.map(({ store_id, format }) => `${format} · ${store_id}`).join("\n")}>
          <CreativePill status={state} count={creatives.length} />
        </span>
      ))}
    </span>
  );
}
