import { CAMPAIGN_FORMATS, loadingText } from "@millrace/contract";
import { type BarColor, stableColor } from "../../../ui/charts/stable-color.ts";
import { Change } from "../../../ui/number/change.tsx";
import { type BlockQuery, LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { FilterLink } from "../parts/filter-link.tsx";
import { Ranked, type RankedThing } from "../parts/ranked.tsx";
import { useCampaignCompared, useCampaignPart } from "./api.ts";
import type { CampaignScope } from "./campaign-address.ts";
import { NothingBought } from "./nothing-bought.tsx";

/** So many rows are shown at first; the last one sums up the others. */
const SHOWN = 6;

/** Each row narrows the page down to its campaign. */
export function CostsByCampaigns({ scope }: { scope: CampaignScope }) {
  const query = useCampaignPart("top_campaign_by_costs", scope);
  return (
    <Costs title="Costs by campaigns" query={query} scope={scope}>
      {(rows) =>
        rows.map(({ uuid, name: plain, deleted, costs, last_costs: before }) => {
          const name = deleted ? `${plain} (deleted)` : plain;
          const text = <FilterLink filter={{ campaign: [uuid] }}>{name}</FilterLink>;
          return { id: uuid, name, value: costs, before, color: stableColor(uuid), text };
        })
      }
    </Costs>
  );
}

export function CostsByFormats({ scope }: { scope: CampaignScope }) {
  const query = useCampaignPart("top_formats_by_costs", scope);
  return (
    <Costs title="Costs by formats" query={query} scope={scope}>
      {(rows) =>
        rows.map(({ format, name, costs, last_costs: before }) => {
          const color = `chart${CAMPAIGN_FORMATS.indexOf(format) + 1}` as BarColor;
          const text = <FilterLink filter={{ format: [format] }}>{name}</FilterLink>;
          return { id: format, name, value: costs, before, color, text };
        })
      }
    </Costs>
  );
}

interface CostsProps<T> {
  title: string;
  query: BlockQuery<T>;
  scope: CampaignScope;
  children: (data: T) => RankedThing[];
}

/** A panel of costs, with the change of their total beside its title. */
function Costs<T extends readonly unknown[]>({ title, query, scope, children }: CostsProps<T>) {
  const total = useCampaignCompared(scope)?.("costs");
  return (
    <LoadedBlock
      title={title}
      aside={
        total && total.change !== null ? (
          <Change text={total.change} against={total.against} good="neither" />
        ) : undefined
      }
      query={query}
      loading={loadingText(title.toLowerCase())}
      skeleton={<RowsSkeleton rows={5} height={30} />}
      isEmpty={(data) => data.length === 0}
      empty={<NothingBought what="costs" />}
    >
      {(data) => (
        <Ranked label={title} things={children(data)} figure="costs" shown={SHOWN} against={total?.against ?? null} />
      )}
    </LoadedBlock>
  );
}
