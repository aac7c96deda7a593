import { Button } from "@mantine/core";
import { type AppSettings, type Format, FORMATS, TEXTS } from "@millrace/contract";
import { decimalDollars } from "@millrace/units";
import { useDebouncedValue } from "@mantine/hooks";
import { useLocation } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { microsOf } from "../../../shared/micros-of.ts";
import { TextField } from "../../../ui/form/text-field.tsx";
import { useBids, useSetFloors } from "../api.ts";
import { SettingForm } from "../settings/setting-form.tsx";
import { useSetting } from "../settings/use-setting.ts";
import type { MediationAddress } from "./address.ts";
import { CountryField, FormatField } from "./choice-fields.tsx";
import { FloorEffect } from "./floor-effect.tsx";
import { FloorList, inOrder } from "./floor-list.tsx";
import {
  type FloorRow,
  type FloorRule,
  floorFaults,
  floorsOf,
  meaningOf,
  rowOf,
  rowsOf,
  withFloor,
} from "./floor-rows.ts";
import classes from "./floors.module.css";
import { useScrollIntoView } from "./use-scroll-into-view.ts";
import { YesterdaysBids } from "./yesterdays-bids.tsx";

const NO_FAULTS: ReadonlyMap<number, string> = new Map();
/** The effect of a floor is asked once its typing rests. */
const REST_MS = 250;

interface FloorEditorProps {
  settings: AppSettings;
  address: MediationAddress;
  onChange: (change: Partial<MediationAddress>) => void;
}

/** The lowest prices by country and format, with the bids that they decide on. */
export function FloorEditor({ settings: { app, floors, revisions }, address, onChange }: FloorEditorProps) {
  const set = useSetFloors(app.uuid);
  const place = useRef<HTMLDivElement>(null);
  const fields = useRef<HTMLDivElement>(null);
  // The settings arrive after the router has looked for the address's part of the page.
  const isLinked = useLocation({ select: ({ hash }) => hash === "floors" });
  useScrollIntoView(place, isLinked);
  const [faults, setFaults] = useState(NO_FAULTS);
  const saved = rowsOf(floors);
  const asAddressed: FloorRule = { country: address.country ?? "", format: address.format ?? "" };
  // Without a country or format in the address, the first floor of the list is open.
  const rule = isAny(asAddressed) && address.floor === undefined ? (inOrder(saved)[0] ?? asAddressed) : asAddressed;
  const choose = (chosen: FloorRule) => {
    const { country, format } = chosen;
    onChange({
      country: country === "" ? undefined : country,
      format: isFormat(format) ? format : undefined,
      floor: isAny(chosen) ? "any" : undefined,
    });
  };
  const setting = useSetting({
    saved,
    keyOf: meaningOf,
    check: (rows) => {
      const found = floorFaults(rows);
      setFaults(found);
      const faulty = rows.find(({ key }) => found.has(key));
      if (faulty) choose(faulty);
      return faulty ? TEXTS.checkFields : null;
    },
    revision: revisions.floors,
    save: async (rows, revision) => {
      const reply = await set.mutateAsync({ floors: floorsOf(rows), revision });
      return { saved: rowsOf(reply.floors), revision: reply.revisions.floors };
    },
  });
  const rows = setting.draft;
  const row = rowOf(rows, rule);
  const before = rowOf(saved, rule);
  const change = (next: FloorRow[]) => {
    setFaults(NO_FAULTS);
    setting.change(next);
  };
  const type = (text: string) => change(withFloor(rows, rule, text, before === undefined));

  const typed = row === undefined ? null : microsOf(row.floor);
  const fault = row && (faults.get(row.key) ?? (typed === null ? undefined : floorFaults([row]).get(row.key)));
  const isChanged = typed !== null && fault === undefined && (before === undefined || microsOf(before.floor) !== typed);
  const floor = isChanged ? typed : null;
  const [debouncedFloor] = useDebouncedValue(floor, REST_MS);
  const bids = useBids(app.uuid, {
    ...(rule.country !== "" && { country: rule.country }),
    ...(isFormat(rule.format) && { format: rule.format }),
    ...(debouncedFloor !== null && floor !== null && { floor: debouncedFloor }),
  });

  return (
    <SettingForm
      title="Floors"
      about="The minimum price per thousand impressions. The most specific floor applies: country and format, then country, then format, then everything else."
      action="Save floors"
      setting={setting}
    >
      <div ref={place} className={classes.editor}>
        <FloorList
          rows={rows}
          rule={rule}
          faulty={new Set(faults.keys())}
          changed={new Set(rows.filter((each) => isUnsaved(each, saved)).map(({ key }) => key))}
          onChoose={choose}
        />
        <YesterdaysBids query={bids} rule={rule} floor={floor} onFloor={(micros) => type(decimalDollars(micros))} />
        <div ref={fields} className={classes.rule} role="group" aria-label="The floor">
          <CountryField value={rule.country} onChange={(country) => choose({ ...rule, country })} />
          <FormatField value={rule.format} onChange={(format) => choose({ ...rule, format })} />
          <TextField
            name="floor"
            label="Floor in $"
            placeholder="none"
            inputMode="decimal"
            autoComplete="off"
            value={row?.floor ?? ""}
            error={fault}
            onChange={type}
          />
          <FloorEffect bids={bids.data} floor={floor} isWaiting={debouncedFloor !== floor || bids.isPlaceholderData} />
          {row ? (
            <Button
              variant="default"
              size="xs"
              onClick={() => {
                change(rows.filter((other) => other !== row));
                // The pressed button disappears.
                fields.current?.querySelector<HTMLInputElement>("[name=floor]")?.focus();
              }}
            >
              Remove floor
            </Button>
          ) : null}
        </div>
      </div>
    </SettingForm>
  );
}

const isAny = ({ country, format }: FloorRule) => country === "" && format === "";
const isFormat = (id: string): id is Format => FORMATS.some((format) => format === id);

function isUnsaved(row: FloorRow, saved: readonly FloorRow[]): boolean {
  const before = rowOf(saved, row);
  return before === undefined || meaningOf([before]) !== meaningOf([row]);
}
