import { MOST_CAPS } from "@millrace/contract";
import { Button } from "@mantine/core";
import { useRef } from "react";
import { TextField } from "../../../ui/form/text-field.tsx";
import { CrossIcon } from "../../../ui/icons.tsx";
import { Panel } from "../../../ui/panel.tsx";
import type { CapDraft } from "./draft.ts";
import classes from "./form.module.css";
import { LaterSelectField } from "./later-select-field.tsx";
import type { CampaignForm } from "./use-campaign-form.ts";

const PERS = [
  { value: "user", label: "device" },
  { value: "all", label: "all devices" },
];
const PERIODS = [
  { value: "day", label: "day" },
  { value: "hour", label: "hour" },
];
const NEW_CAP: CapDraft = { impressions: "", period: "", per: "" };

/** How often the campaign may be shown. */
export function Caps({ form }: { form: CampaignForm }) {
  const { limit } = form.draft;
  const list = useRef<HTMLFieldSetElement>(null);
  const put = (caps: CapDraft[]) => form.set({ limit: caps });
  const change = (index: number, part: Partial<CapDraft>) =>
    put(limit.map((cap, at) => (at === index ? { ...cap, ...part } : cap)));
  return (
    <Panel title="Frequency caps" aside={`At most ${MOST_CAPS}`}>
      <fieldset ref={list} name="limit" className={classes.bare} aria-label="Frequency caps" tabIndex={-1}>
        {limit.length === 0 ? (
          <p className={classes.hint}>No limits: a device may see the campaign any number of times.</p>
        ) : null}
        {limit.map((cap, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a cap has no other identity, and its fields hold no state
          <div key={index} className={classes.cap} role="group" aria-label={`Limit ${index + 1}`}>
            <TextField
              {...form.part(`limit.${index}.impressions`, cap.impressions, (impressions) =>
                change(index, { impressions }),
              )}
              label="Impressions"
              inputMode="numeric"
              autoComplete="off"
              maxLength={9}
              takesFocus={cap === NEW_CAP}
            />
            <LaterSelectField
              {...form.part(`limit.${index}.per`, cap.per, (per) => change(index, { per }))}
              label="per"
              placeholder="Choose"
              options={PERS}
            />
            <LaterSelectField
              {...form.part(`limit.${index}.period`, cap.period, (period) => change(index, { period }))}
              label="each"
              placeholder="Choose"
              options={PERIODS}
            />
            <button
              type="button"
              className={classes.remove}
              aria-label={`Remove limit ${index + 1}`}
              onClick={() => {
                put(limit.filter((_, at) => at !== index));
                // The focused button disappears with its limit.
                list.current?.focus();
              }}
            >
              <CrossIcon />
            </button>
          </div>
        ))}
        {limit.length < MOST_CAPS ? (
          <Button variant="default" size="xs" onClick={() => put([...limit, NEW_CAP])}>
            Add a limit
          </Button>
        ) : null}
      </fieldset>
    </Panel>
  );
}
