import { useFilterOptions } from "../../../../shared/filters/use-filter-options.ts";
import { ChoiceFilter } from "../../../../ui/fields/choice-filter.tsx";
import { ChoiceField } from "../../../../ui/form/choice-field.tsx";
import type { FieldProps } from "../../../../ui/form/field-props.ts";
import classes from "./team.module.css";

const ALL = "all";
const CHOSEN = "chosen";
const WAYS = [
  { value: ALL, label: "All apps", hint: "Later ones too" },
  { value: CHOSEN, label: "Chosen apps", hint: "Nothing else of the account" },
];

/** All apps of the account, or chosen ones. Not shown where the account has no app to choose. */
export function AppsField({ value, onChange, ...field }: FieldProps<number[] | null>) {
  const names = useFilterOptions().data?.apps;
  const ids = value ?? null;
  if (ids === null && names && Object.keys(names).length === 0) return null;
  return (
    <div className={classes.apps}>
      <ChoiceField
        {...field}
        label="Apps"
        options={WAYS}
        value={ids === null ? ALL : CHOSEN}
        onChange={(way) => onChange(way === ALL ? null : [])}
      />
      {ids === null ? null : (
        <ChoiceFilter
          what="apps"
          clear="Clear the choice"
          options={names ?? {}}
          chosen={ids.map(String)}
          {...(ids.length === 0 && { text: "Choose apps" })}
          onChange={(chosen) => onChange(chosen.map(Number))}
        />
      )}
    </div>
  );
}

const MOST_NAMED = 2;

/** The apps that a person sees, in words; all names are in the tooltip. */
export function VisibleApps({ app_ids: ids }: { app_ids: readonly number[] | null }) {
  const names = useFilterOptions().data?.apps ?? {};
  if (ids === null) return "All";
  if (ids.length === 0) return <span className={classes.faint}>None: they were deleted</span>;
  const known = ids.map((id) => names[id] ?? String(id)).toSorted((a, b) => a.localeCompare(b));
  const few = known.length <= MOST_NAMED;
  return (
    <span className={classes.seen} title={known.join(", ")}>
      {few ? known.join(", ") : `${known.length} apps`}
    </span>
  );
}
