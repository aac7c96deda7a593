import { type CampaignRow, type CreativeStatus, PLATFORM_LABELS } from "@millrace/contract";
import { formatCount, formatCountExact, formatMoney, formatMoneyExact } from "@millrace/units";
import { PATHS } from "../../../shared/paths.ts";
import type { Column } from "../../../ui/table/data-table.tsx";
import { creativeState } from "../campaign-status.ts";
import { CampaignCell, type CampaignActions, editAndDeleteColumn } from "./campaign-cells.tsx";
import { CreativePill } from "./pills.tsx";
import classes from "./parts.module.css";

/** A row of the list: a campaign, or null for the total. */
export interface CampaignLine {
  campaign: CampaignRow | null;
  figures: Pick<CampaignRow, "impressions" | "clicks" | "conversions" | "costs">;
}

interface AdvertiserActions extends CampaignActions<CampaignRow> {
  /** Asks where its opportunities went. */
  onWhy: (campaign: CampaignRow) => void;
}

export function campaignColumns(actions: AdvertiserActions): Column<CampaignLine>[] {
  return [
    { id: "name", head: "Campaign", cell: (line) => <NameCell line={line} actions={actions} /> },
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
    ...editAndDeleteColumn(actions, { form: PATHS.campaignEdit, nameOf: ({ name }: CampaignRow) => name }),
  ];
}

const count = (id: "impressions" | "clicks" | "conversions", head: string): Column<CampaignLine> => ({
  id,
  head,
  numeric: true,
  cell: ({ figures }) => formatCount(figures[id]),
  exact: ({ figures }) => formatCountExact(figures[id]),
});

function NameCell({ line: { campaign }, actions }: { line: CampaignLine; actions: AdvertiserActions }) {
  if (campaign === null) return "Total";
  const { name, app_platform, bundle_id } = campaign;
  const line = (
    <small title={bundle_id}>
      {PLATFORM_LABELS[app_platform]} · {bundle_id}
    </small>
  );
  return (
    <CampaignCell campaign={campaign} name={name} line={line} actions={actions}>
      <button
        type="button"
        className={classes.why}
        aria-label={`Why is it not spending more? ${name}`}
        onClick={() => actions.onWhy(campaign)}
      >
        Why is it not spending more?
      </button>
    </CampaignCell>
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
