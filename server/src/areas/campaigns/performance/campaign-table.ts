import {
  CAMPAIGN_FORMAT_LABELS,
  type CampaignFigure,
  type CampaignFormat,
  type CampaignStatRow,
  type CampaignTable,
  type CampaignView,
} from "@millrace/contract";
import { formatDay } from "@millrace/units";
import { pageOf } from "../../../platform/page-of.ts";
import { countryName, inOrder } from "../../statistics/index.ts";
import { labelOf } from "../campaign-store.ts";
import { pathOfFile } from "../../../platform/files/serve-stored-files.ts";
import { creativesById } from "../creative-store.ts";
import { sortedInTurns } from "../../../platform/sorted-in-turns.ts";
import type { CampaignSelection } from "./select-campaigns.ts";

/** A row's key in public and its name. */
type Shown = Pick<CampaignStatRow, "id" | "name" | "image_url">;

/** The table of a query's view in its order; `total` covers all rows, whatever page is asked for. */
export async function campaignTable(selection: CampaignSelection): Promise<CampaignTable> {
  const { view, p, rows: perPage, ...ordering } = selection.query;
  const { rows, total } = await selection.statistics.rows(view);
  const shown = await shownBy(
    view,
    selection,
    rows.map(({ id }) => id),
  );
  const { compared_until, ...figures } = total;
  const all = await sortedInTurns(
    rows.map((row): CampaignStatRow => ({ ...row, ...shown(row.id) })),
    inOrder<CampaignFigure>(view, ordering),
  );
  const { page, pager } = perPage === undefined ? { page: all } : pageOf(all, p, perPage);
  return {
    view,
    stats: page,
    total: { id: "total", name: "Total", ...figures },
    compared_until,
    ...(pager && { pager }),
  };
}

async function shownBy(
  view: CampaignView,
  { deps, chosen }: CampaignSelection,
  ids: readonly string[],
): Promise<(id: string) => Shown> {
  switch (view) {
    case "date":
      return (id) => ({ id, name: formatDay(id) });
    case "country":
      return (id) => ({ id, name: countryName(id) });
    case "format":
      return (id) => ({ id, name: CAMPAIGN_FORMAT_LABELS[id as CampaignFormat] });
    case "campaign": {
      const byId = new Map(chosen.map((campaign) => [String(campaign.id), campaign]));
      return (id) => {
        const campaign = byId.get(id);
        return campaign ? { id: campaign.uuid, name: labelOf(campaign), image_url: campaign.logoUrl } : plain(id);
      };
    }
    case "creative": {
      const creatives = await creativesById(
        deps.pool,
        chosen.map(({ id }) => id),
        ids.map(Number),
      );
      const names = new Map(chosen.map((campaign) => [campaign.id, labelOf(campaign)]));
      const deletedWith = new Map(chosen.map(({ id, isDeleted }) => [id, isDeleted]));
      return (id) => {
        const creative = creatives.get(Number(id));
        if (!creative) return plain(id);
        const { file, cta, campaignId, isDeleted } = creative;
        const words = [names.get(campaignId), file && `${file.width}×${file.height}`, cta];
        // The campaign's own name tells that it was deleted with its creatives.
        const end = isDeleted && deletedWith.get(campaignId) === false ? " (deleted)" : "";
        return {
          id: creative.uuid,
          name: words.filter((word) => word).join(" · ") + end,
          image_url: file && pathOfFile(file.file),
        };
      };
    }
  }
}

const plain = (id: string): Shown => ({ id, name: id });
