import { NativeSelect, Select } from "@mantine/core";
import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/ScrollArea.layer.css";
import "@mantine/core/styles/Popover.layer.css";
import "@mantine/core/styles/Combobox.layer.css";
import { FORMATS, FORMAT_LABELS } from "@millrace/contract";
import { COUNTRY_OPTIONS } from "../../../shared/countries.ts";
import { INPUT_CLASSES } from "../../../ui/form/text-field.tsx";

interface FieldProps {
  /** Empty for any. */
  value: string;
  /** Without a label in sight, for a row of filters. */
  bare?: boolean;
  onChange: (value: string) => void;
}

/** No country's code. */
const ANY = "any";
const COUNTRY_CHOICES = [{ value: ANY, label: "Any country" }, ...COUNTRY_OPTIONS];

/** A country, found by typing a part of its name. */
export const CountryField = ({ value, bare = false, onChange }: FieldProps) => (
  <Select
    {...(bare ? { "aria-label": "Country" } : { label: "Country" })}
    data={COUNTRY_CHOICES}
    value={value === "" ? ANY : value}
    onChange={(code) => onChange(code === null || code === ANY ? "" : code)}
    searchable
    allowDeselect={false}
    selectFirstOptionOnChange
    nothingFoundMessage="No country found"
    comboboxProps={{ shadow: "none" }}
    maxDropdownHeight={280}
    classNames={INPUT_CLASSES}
  />
);

const FORMAT_OPTIONS = [
  { value: "", label: "Any format" },
  ...FORMATS.map((format) => ({ value: format, label: FORMAT_LABELS[format] })),
];

export const FormatField = ({ value, bare = false, onChange }: FieldProps) => (
  <NativeSelect
    {...(bare ? { "aria-label": "Format" } : { label: "Format" })}
    data={FORMAT_OPTIONS}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    classNames={INPUT_CLASSES}
  />
);
