import { EARLIEST_DATE, FORMAT_LABELS, type Format, type RequestOutcome } from "@millrace/contract";
import { dayOf } from "@millrace/units";
import { useState } from "react";
import { useFilterOptions } from "../../../shared/filters/use-filter-options.ts";
import { ChoiceFilter } from "../../../ui/fields/choice-filter.tsx";
import { DateRangeFilter } from "../../../ui/fields/date-range-filter.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { useRequestFacts } from "../api.ts";
import { type RequestsAddress, countFilters } from "../requests-address.ts";
import classes from "./request-filters.module.css";

interface RequestFiltersProps {
  uuid: string;
  address: RequestsAddress;
  onChange: (change: Partial<RequestsAddress>) => void;
}

const OUTCOMES = [
  { id: "all", label: "All" },
  { id: "sold", label: "Sold" },
  { id: "no_ad", label: "No ad" },
] as const satisfies readonly { id: RequestOutcome | "all"; label: string }[];

const NO_FILTERS = {
  zone: [],
  format: [],
  country: [],
  outcome: undefined,
  reason: [],
  partner: [],
  winner: [],
} as const satisfies Partial<RequestsAddress>;

/** The pressed button goes with the filters, so the focus moves to the page's heading. */
export function clearFilters(onChange: RequestFiltersProps["onChange"]): void {
  onChange({ ...NO_FILTERS });
  document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
}

/** The days and filters of the list. On a phone the filters fold behind a button. */
export function RequestFilters({ uuid, address, onChange }: RequestFiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const options = useFilterOptions().data;
  const facts = useRequestFacts(uuid, address).data;
  const set = countFilters(address);
  const limits = { ds: options?.dates.min ?? EARLIEST_DATE, de: options?.dates.max ?? dayOf(Date.now()) };
  return (
    <div className={classes.bar} role="group" aria-label="Filters">
      <DateRangeFilter range={{ ds: address.ds, de: address.de }} limits={limits} onApply={onChange} />
      <button
        type="button"
        className={`${classes.button} ${classes.fold}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {set === 0 ? "Filters" : `Filters (${set})`}
      </button>
      <div className={classes.filters} data-open={isOpen ? "" : undefined}>
        <Segments
          label="Outcome"
          options={OUTCOMES}
          chosen={address.outcome ?? "all"}
          onChoose={(outcome) =>
            onChange(
              outcome === "all"
                ? { outcome: undefined }
                : // A reason implies no ad, and a winner implies an ad.
                  { outcome, ...(outcome === "sold" ? { reason: [] } : { winner: [] }) },
            )
          }
        />
        <ChoiceFilter
          what="reasons"
          options={facts?.reasons ?? {}}
          chosen={address.reason}
          onChange={(reason) => onChange({ reason, ...(reason.length > 0 && { outcome: "no_ad", winner: [] }) })}
        />
        <ChoiceFilter
          what="zones"
          options={facts?.zones ?? {}}
          chosen={address.zone}
          onChange={(zone) => onChange({ zone })}
        />
        <ChoiceFilter
          what="formats"
          options={FORMAT_LABELS}
          chosen={address.format}
          onChange={(format) => onChange({ format: format as Format[] })}
        />
        <ChoiceFilter
          what="countries"
          options={options?.countries ?? {}}
          chosen={address.country}
          onChange={(country) => onChange({ country })}
        />
        <ChoiceFilter
          what="partners asked"
          options={options?.providers ?? {}}
          chosen={address.partner}
          onChange={(partner) => onChange({ partner })}
        />
        <ChoiceFilter
          what="winners"
          options={options?.providers ?? {}}
          chosen={address.winner}
          onChange={(winner) => onChange({ winner, ...(winner.length > 0 && { outcome: "sold", reason: [] }) })}
        />
        {set === 0 ? null : <LinkButton onClick={() => clearFilters(onChange)}>Clear filters</LinkButton>}
      </div>
    </div>
  );
}
