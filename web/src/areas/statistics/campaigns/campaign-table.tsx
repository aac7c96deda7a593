import {
  CAMPAIGN_VIEWS,
  type CampaignOrder,
  type CampaignTable as Table,
  type CampaignView,
  campaignStatsCsv,
  campaignStatsPdf,
  loadingText,
} from "@millrace/contract";
import { useMemo } from "react";
import { HelpLink } from "../../../shared/help-link.tsx";
import { addressOf } from "../../../shared/call-api.ts";
import { comparedRows } from "../../../shared/filters/compared-period.ts";
import { DownloadIcon } from "../../../ui/icons.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import type { Ordering } from "../../../ui/table/data-table.tsx";
import classes from "../parts/parts.module.css";
import { ViewTable } from "../parts/view-table.tsx";
import { useCampaignPart } from "./api.ts";
import {
  type CampaignScope,
  type CampaignStatsAddress,
  campaignTableOrder,
  scopeOfAddress,
} from "./campaign-address.ts";
import { CAMPAIGN_VIEW_LABELS, campaignStatColumns } from "./campaign-stat-columns.tsx";
import { NothingBought } from "./nothing-bought.tsx";

/** The newest days, or the most expensive of the others, are shown first. */
const FIRST_ROWS = { date: 5, campaign: 8, country: 8, format: 8, creative: 8 } as const satisfies Record<
  CampaignView,
  number
>;
const NAMES = {
  date: "days",
  campaign: "campaigns",
  country: "countries",
  format: "formats",
  creative: "creatives",
} as const satisfies Record<CampaignView, string>;

type Ordered = Pick<CampaignStatsAddress, "view" | "order" | "order_type">;

export interface CampaignTableProps {
  scope: CampaignScope;
  ordered: Ordered;
  onChange: (change: Partial<Ordered>) => void;
}

/** All figures by date, campaign, country, format or creative. */
export function CampaignTable({ scope, ordered, onChange }: CampaignTableProps) {
  const { view, order, order_type } = ordered;
  const table = useCampaignPart("stats", scope, { view, order, order_type });
  const query = { ...scopeOfAddress(scope), view, order, order_type };
  return (
    <LoadedBlock
      title="Statistics"
      aside={
        <div className={classes.tableAside}>
          <Segments
            label="Rows by"
            options={CAMPAIGN_VIEWS.map((id) => ({ id, label: CAMPAIGN_VIEW_LABELS[id] }))}
            chosen={view}
            onChoose={(next) => onChange({ view: next, ...campaignTableOrder(next) })}
          />
          <HelpLink to="metrics">What the figures mean</HelpLink>
          <span className={classes.downloads}>
            <a href={addressOf(campaignStatsCsv, {}, query)} download className={classes.download}>
              <DownloadIcon /> Download CSV
            </a>
            <a href={addressOf(campaignStatsPdf, {}, query)} download className={classes.download}>
              <DownloadIcon /> Download PDF
            </a>
          </span>
        </div>
      }
      query={table}
      loading={loadingText("statistics")}
      skeleton={<TableSkeleton rows={6} columns={8} />}
      isEmpty={(data) => data.stats.length === 0}
      empty={<NothingBought what="statistics" />}
    >
      {(data) => (
        <Rows
          table={data}
          scope={scope}
          ordering={{ by: order, direction: order_type }}
          onOrder={({ by, direction }) => onChange({ order: by, order_type: direction })}
        />
      )}
    </LoadedBlock>
  );
}

interface RowsProps {
  table: Table;
  scope: CampaignScope;
  ordering: Ordering<CampaignOrder>;
  onOrder: (ordering: Ordering<CampaignOrder>) => void;
}

function Rows({ table: { view, stats, total, compared_until: until }, scope, ordering, onOrder }: RowsProps) {
  const columns = useMemo(
    () => campaignStatColumns({ view, stats, total, by: ordering.by, against: comparedRows(scope, until) }),
    [view, stats, total, scope, ordering.by, until],
  );
  return (
    <ViewTable
      view={view}
      label={CAMPAIGN_VIEW_LABELS[view]}
      first={FIRST_ROWS[view]}
      names={NAMES[view]}
      columns={columns}
      rows={stats}
      total={total}
      ordering={ordering}
      onOrder={onOrder}
    />
  );
}
