import { useRef } from "react";
import { ChoiceFilter } from "../../../ui/fields/choice-filter.tsx";
import { Chips } from "../../../ui/fields/chips.tsx";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import { ChoiceField } from "../../../ui/form/choice-field.tsx";
import type { FieldProps } from "../../../ui/form/field-props.ts";
import { FieldError } from "./field-error.tsx";
import classes from "./form.module.css";
import { LaterSelectField } from "./later-select-field.tsx";
import type { VersionsDraft } from "./typed.ts";

const GEO_TYPES = [
  { value: "in", label: "Only in these" },
  { value: "not_in", label: "Not in these" },
];

/** The part of a form that the fields of countries and versions use. */
export interface TargetingForm {
  draft: { geo_type: string; country: string[]; ios: VersionsDraft; android: VersionsDraft };
  errors: Readonly<Record<string, string>>;
  set(part: Partial<TargetingForm["draft"]>): void;
  field(name: "geo_type"): FieldProps<string>;
  part(path: string, value: string, onChange: (value: string) => void): FieldProps<string>;
}

/** The countries of a campaign, or those that it leaves out. Names by code. */
export function Countries({ form, countries }: { form: TargetingForm; countries: Readonly<Record<string, string>> }) {
  const { draft, set, errors } = form;
  const part = useRef<HTMLFieldSetElement>(null);
  const choose = (country: string[]) => set({ country });
  return (
    <div className={classes.stack}>
      <ChoiceField {...form.field("geo_type")} label="Countries" options={GEO_TYPES} />
      <fieldset ref={part} name="country" className={classes.bare} aria-label="Chosen countries" tabIndex={-1}>
        {draft.country.length === 0 ? (
          <p className={classes.hint}>
            {draft.geo_type === "not_in" ? "None: the campaign runs in every country." : ""}
          </p>
        ) : (
          <Chips
            label="Countries"
            chips={draft.country.map((code) => ({ id: code, label: countries[code] ?? code }))}
            removes={(name) => `Remove ${name}`}
            onRemove={(code) => {
              choose(draft.country.filter((other) => other !== code));
              // The focused button disappears with its country.
              part.current?.focus();
            }}
          />
        )}
        <div className={classes.chooser}>
          <ChoiceFilter
            what="countries"
            options={countries}
            chosen={draft.country}
            onChange={choose}
            text="Choose countries"
            clear="Remove all countries"
          />
        </div>
        <FieldError text={errors["country"]} />
      </fieldset>
    </div>
  );
}

interface VersionsProps {
  form: TargetingForm;
  os: "ios" | "android";
  name: string;
  versions: readonly string[];
}

/** A range of versions, or all of them. */
export function Versions({ form, os, name, versions }: VersionsProps) {
  const range = form.draft[os];
  const options = versions.map((value) => ({ value, label: value }));
  return (
    <fieldset className={classes.bare} aria-label={`${name} versions`}>
      <CheckboxField
        name={`${os}.all`}
        label={`All versions of ${name}`}
        value={range.all}
        error={undefined}
        onChange={(all) => form.set({ [os]: { ...range, all } })}
      />
      {range.all ? null : (
        <div className={classes.range}>
          <LaterSelectField
            {...form.part(`${os}.min`, range.min, (min) => form.set({ [os]: { ...range, min } }))}
            label={`Lowest ${name}`}
            options={options}
          />
          <LaterSelectField
            {...form.part(`${os}.max`, range.max, (max) => form.set({ [os]: { ...range, max } }))}
            label={`Highest ${name}`}
            options={options}
          />
        </div>
      )}
    </fieldset>
  );
}
