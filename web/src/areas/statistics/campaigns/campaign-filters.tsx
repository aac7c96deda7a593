import { CAMPAIGN_FORMAT_LABELS, type CampaignFormat } from "@millrace/contract";
import { ComparisonFilter } from "../../../shared/filters/comparison-filter.tsx";
import { FilterFrame } from "../../../shared/filters/filter-frame.tsx";
import { ChoiceFilter } from "../../../ui/fields/choice-filter.tsx";
import { LiveMark } from "../../../ui/states/live-mark.tsx";
import { isLive, useCampaignChoices, useCampaignPart } from "./api.ts";
import type { CampaignScope, CampaignStatsAddress } from "./campaign-address.ts";

interface CampaignFiltersProps {
  scope: CampaignScope;
  onChange: (change: Partial<CampaignStatsAddress>) => void;
}

/** The page's days and filters, what its days are compared with, and how fresh the figures are. */
export function CampaignFilters({ scope, onChange }: CampaignFiltersProps) {
  const totals = useCampaignPart("totals", scope, { pace: "live" });
  const choices = useCampaignChoices();
  const { ds, de, compare, campaign, format, country } = scope;
  const first = choices?.first_day ?? undefined;
  return (
    <FilterFrame
      range={{ ds, de }}
      limits={choices ? { ds: choices.dates.min, de: choices.dates.max } : undefined}
      first={first}
      set={[campaign, format, country].filter((values) => values.length > 0).length}
      onRange={onChange}
      beside={
        <ComparisonFilter
          range={{ ds, de }}
          compare={compare}
          until={totals.data?.compared_until}
          firstDay={first}
          onChange={(chosen) => onChange({ compare: chosen })}
        />
      }
      aside={isLive(scope) ? <LiveMark updatedAtMs={totals.dataUpdatedAt} failing={totals.isError} /> : undefined}
    >
      <ChoiceFilter
        what="campaigns"
        options={choices?.campaigns ?? {}}
        chosen={campaign}
        onChange={(chosen) => onChange({ campaign: chosen })}
      />
      <ChoiceFilter
        what="formats"
        options={CAMPAIGN_FORMAT_LABELS}
        chosen={format}
        onChange={(chosen) => onChange({ format: chosen as CampaignFormat[] })}
      />
      <ChoiceFilter
        what="countries"
        options={choices?.countries ?? {}}
        chosen={country}
        onChange={(chosen) => onChange({ country: chosen })}
      />
    </FilterFrame>
  );
}
