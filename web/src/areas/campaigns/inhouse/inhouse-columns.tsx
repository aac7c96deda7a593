import { INHOUSE_FORMAT_LABELS, type InhouseRow } from "@millrace/contract";
import { formatCount, formatCountExact, formatMoneyExact } from "@millrace/units";
import { PATHS } from "../../../shared/paths.ts";
import type { Column } from "../../../ui/table/data-table.tsx";
import { CampaignCell, type CampaignActions, editAndDeleteColumn } from "../parts/campaign-cells.tsx";
import classes from "./inhouse.module.css";
import { namesText } from "./names-text.ts";

/** A row of the list: an in-house campaign, or null for the total. */
export interface InhouseLine {
  campaign: InhouseRow | null;
  figures: Pick<InhouseRow, "impressions" | "clicks" | "installs">;
}

export function inhouseColumns(actions: CampaignActions<InhouseRow>): Column<InhouseLine>[] {
  return [
    { id: "title", head: "Campaign", cell: (line) => <NameCell line={line} actions={actions} /> },
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
    ...editAndDeleteColumn(actions, { form: PATHS.inhouseEdit, nameOf: ({ title }: InhouseRow) => title }),
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

function NameCell({ line: { campaign }, actions }: { line: InhouseLine; actions: CampaignActions<InhouseRow> }) {
  if (campaign === null) return "Total";
  const { title, app } = campaign;
  const line = <small>{app === null ? "Promotes a deleted app" : `Promotes ${app.name}`}</small>;
  return <CampaignCell campaign={campaign} name={title} line={line} actions={actions} />;
}
