import { Button } from "@mantine/core";
import { type AppSettings, FORMATS, FORMAT_LABELS, TEXTS } from "@millrace/contract";
import { useRef, useState } from "react";
import { COUNTRY_OPTIONS } from "../../../shared/countries.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { CrossIcon } from "../../../ui/icons.tsx";
import { useSetFloors } from "../api.ts";
import { type FloorRow, floorFaults, floorsOf, meaningOf, rowsOf, withNewRow } from "./floor-rows.ts";
import { SettingForm } from "./setting-form.tsx";
import classes from "./floors.module.css";
import block from "./settings.module.css";
import { useSetting } from "./use-setting.ts";

const FORMAT_OPTIONS = FORMATS.map((format) => ({ value: format, label: FORMAT_LABELS[format] }));
const NO_FAULTS: ReadonlyMap<number, string> = new Map();

/** The lowest prices, by country and format. */
export function Floors({ settings: { app, floors } }: { settings: AppSettings }) {
  const set = useSetFloors(app.uuid);
  const [faults, setFaults] = useState(NO_FAULTS);
  const setting = useSetting({
    saved: rowsOf(floors),
    keyOf: meaningOf,
    check: (rows) => {
      const found = floorFaults(rows);
      setFaults(found);
      return found.size === 0 ? null : TEXTS.checkFields;
    },
    save: async (rows) => rowsOf((await set.mutateAsync({ floors: floorsOf(rows) })).floors),
  });
  const rows = setting.draft;
  const add = useRef<HTMLButtonElement>(null);
  const change = (next: FloorRow[]) => {
    setFaults(NO_FAULTS);
    setting.change(next);
  };
  return (
    <SettingForm
      title="Floors"
      about="The minimum price per thousand impressions. The most specific row applies: country and format, then country, then format, then everything else."
      action="Save floors"
      setting={setting}
    >
      {rows.length === 0 ? <p className={block.faint}>No floors: bids at any price are accepted.</p> : null}
      {rows.length === 0 ? null : (
        <ul className={classes.floors}>
          {rows.map((row, index) => (
            <FloorLine
              key={row.key}
              row={row}
              number={index + 1}
              fault={faults.get(row.key)}
              onChange={(part) => change(rows.map((other) => (other === row ? { ...row, ...part } : other)))}
              onRemove={() => {
                change(rows.filter((other) => other !== row));
                // The focused button disappears with its row.
                add.current?.focus();
              }}
            />
          ))}
        </ul>
      )}
      <Button ref={add} variant="default" size="xs" onClick={() => change(withNewRow(rows))}>
        Add floor
      </Button>
    </SettingForm>
  );
}

interface FloorLineProps {
  row: FloorRow;
  number: number;
  fault: string | undefined;
  onChange: (part: Partial<FloorRow>) => void;
  onRemove: () => void;
}

function FloorLine({ row, number, fault, onChange, onRemove }: FloorLineProps) {
  return (
    <li className={classes.floor}>
      <SelectField
        name={`country-${row.key}`}
        label="Country"
        placeholder="Any country"
        options={COUNTRY_OPTIONS}
        value={row.country}
        error={undefined}
        onChange={(country) => onChange({ country })}
      />
      <SelectField
        name={`format-${row.key}`}
        label="Format"
        placeholder="Any format"
        options={FORMAT_OPTIONS}
        value={row.format}
        error={undefined}
        onChange={(format) => onChange({ format })}
      />
      <TextField
        name={`floor-${row.key}`}
        label="Floor in $"
        placeholder="0.00"
        inputMode="decimal"
        autoComplete="off"
        value={row.floor}
        error={fault}
        onChange={(floor) => onChange({ floor })}
      />
      <button type="button" className={classes.remove} aria-label={`Remove floor ${number}`} onClick={onRemove}>
        <CrossIcon />
      </button>
    </li>
  );
}
