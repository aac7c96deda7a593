import { campaignRegions, countryOfRegion, loadingText } from "@millrace/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { callApi } from "../../../shared/call-api.ts";
import { HelpLink } from "../../../shared/help-link.tsx";
import { ChoiceFilter } from "../../../ui/fields/choice-filter.tsx";
import { Chips } from "../../../ui/fields/chips.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { regionsOf } from "./draft.ts";
import { FieldError } from "./field-error.tsx";
import classes from "./form.module.css";
import type { CampaignForm } from "./use-campaign-form.ts";

interface RegionsProps {
  form: CampaignForm;
  /** Names by code. */
  countries: Readonly<Record<string, string>>;
}

/** Names by code. The former ones stay until those of other countries are there. */
const useRegions = (countries: readonly string[]) =>
  useQuery({
    queryKey: ["campaign regions", countries],
    queryFn: ({ signal }) => callApi(campaignRegions, { query: { country: countries.join(",") }, signal }),
    select: ({ regions }) => regions,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });

/** The regions of the chosen countries, if only some of them count. */
export function Regions({ form, countries }: RegionsProps) {
  const query = useRegions(form.draft.country.toSorted());
  return (
    <Loaded query={query} loading={loadingText("the regions")} skeleton={<RowsSkeleton rows={1} height={34} />}>
      {(regions) => <RegionPicker form={form} countries={countries} regions={regions} />}
    </Loaded>
  );
}

function RegionPicker({ form, countries, regions }: RegionsProps & { regions: Readonly<Record<string, string>> }) {
  const { draft, set, errors } = form;
  const part = useRef<HTMLFieldSetElement>(null);
  const chosen = regionsOf(draft);
  const hasOneCountry = draft.country.length === 1;
  const nameOf = (code: string) => {
    const country = countryOfRegion(code);
    const name = regions[code] ?? code;
    return hasOneCountry ? name : `${name} (${countries[country] ?? country})`;
  };
  const choose = (region: string[]) => set({ region });
  const offered = Object.keys(regions).filter((code) => draft.country.includes(countryOfRegion(code)));
  return (
    <fieldset ref={part} name="region" className={classes.bare} aria-label="Chosen regions" tabIndex={-1}>
      {chosen.length === 0 ? null : (
        <Chips
          label="Regions"
          chips={chosen.map((code) => ({ id: code, label: nameOf(code) }))}
          removes={(name) => `Remove ${name}`}
          onRemove={(code) => {
            choose(chosen.filter((other) => other !== code));
            // The focused button disappears with its region.
            part.current?.focus();
          }}
        />
      )}
      <div className={classes.chooser}>
        <ChoiceFilter
          what="regions"
          options={Object.fromEntries(offered.map((code) => [code, nameOf(code)]))}
          chosen={chosen}
          onChange={choose}
          text="Choose regions"
          clear="Remove all regions"
        />
      </div>
      <p className={classes.hint}>
        {hintOf(draft.geo_type, chosen.length)}{" "}
        <HelpLink to="advertisers/campaigns#regions">Which requests name a region</HelpLink>
      </p>
      <FieldError text={errors["region"]} />
    </fieldset>
  );
}

function hintOf(geoType: string, count: number): string {
  if (count === 0) return "No regions: each country counts as a whole.";
  return geoType === "in"
    ? "In these countries, only requests that name one of the chosen regions count. Most requests name none."
    : "Requests from these regions' countries that name no region are left out too. Most name none.";
}
