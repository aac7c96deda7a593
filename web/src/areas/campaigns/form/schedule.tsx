import { addDays, dayOf, formatDay } from "@millrace/units";
import { useId, useRef } from "react";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import { ChoicesField } from "../../../ui/form/choices-field.tsx";
import type { FieldProps } from "../../../ui/form/field-props.ts";
import { TextField } from "../../../ui/form/text-field.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { isDate, isMoment } from "./draft.ts";
import classes from "./form.module.css";
import { DAYS, localHours, localMoment } from "./local-time.ts";
import { maskDate, maskTime } from "./typing-masks.ts";
import type { CampaignForm } from "./use-campaign-form.ts";

const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Days that are offered for a date; any other can be typed. */
const OFFERED_DAYS = 5;

/** When the campaign runs. All times are UTC, with the local equivalent under them. */
export function Schedule({ form, isNew }: { form: CampaignForm; isNew: boolean }) {
  const { draft, set, field } = form;
  const { start_date, start_time, end_date, end_time, day_activity_from: from, day_activity_to: to } = draft;
  const chosen = useRef({ start_date, start_time });
  const today = dayOf(Date.now());
  // Of a running campaign, the season of now.
  const first = isDate(start_date) && start_date > today ? start_date : today;
  const last = isDate(end_date) ? end_date : null;
  return (
    <Panel title="Schedule" aside="All times are UTC">
      <div className={classes.stack}>
        <div className={classes.pair}>
          <div className={classes.start}>
            {draft.starts_now ? null : (
              <div className={classes.moment} role="group" aria-label="Start">
                <DateField {...field("start_date")} label="Starts on" />
                <TimeField {...field("start_time")} label="at" />
                <Local
                  text={isMoment(start_date, start_time) ? localMoment(start_date, start_time) : null}
                  zone={ZONE}
                />
              </div>
            )}
            {isNew ? (
              <CheckboxField
                name="starts_now"
                label="Start now, as soon as a creative is approved"
                value={draft.starts_now}
                error={undefined}
                onChange={(starts_now) => {
                  if (starts_now) chosen.current = { start_date, start_time };
                  set({ starts_now, ...(starts_now ? startAt(Date.now()) : chosen.current) });
                }}
              />
            ) : null}
          </div>
          <div className={classes.moment} role="group" aria-label="End">
            <DateField {...field("end_date")} label="Ends on (optional)" placeholder="no end" />
            <TimeField {...field("end_time")} label="at" />
            <Local text={isMoment(end_date, end_time) ? localMoment(end_date, end_time) : null} zone={ZONE} />
          </div>
        </div>
        <div className={classes.pair}>
          <ChoicesField
            name="days"
            label="Days"
            short
            options={DAYS}
            chosen={draft.days}
            error={form.errors["days"]}
            onChange={(days) => set({ days })}
          />
          <div className={classes.hours} role="group" aria-label="Hours">
            <TimeField {...field("day_activity_from")} label="From, each day" />
            <TimeField {...field("day_activity_to")} label="to" />
            <Local
              text={isMoment(first, from) && isMoment(first, to) ? localHours({ from, to }, { first, last }) : null}
              zone={ZONE}
            />
          </div>
        </div>
      </div>
    </Panel>
  );
}

/** A moment, to the minute, as a start. The end is compared with it until the platform sets the actual start. */
const startAt = (nowMs: number) => ({
  start_date: dayOf(nowMs),
  start_time: new Date(nowMs).toISOString().slice(11, 16),
});

function Local({ text, zone }: { text: string | null; zone: string }) {
  return <p className={classes.local}>{text === null ? null : `${text} in your time (${zone})`}</p>;
}

interface DateFieldProps extends FieldProps<string> {
  label: string;
  placeholder?: string;
}

function DateField({ onChange, placeholder = "yyyy-mm-dd", ...field }: DateFieldProps) {
  const id = useId();
  const today = dayOf(Date.now());
  return (
    <>
      <TextField
        {...field}
        list={id}
        placeholder={placeholder}
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        onChange={(typed) => onChange(maskDate(typed, field.value ?? ""))}
      />
      <datalist id={id}>
        {Array.from({ length: OFFERED_DAYS + 1 }, (_, days) => (
          <option key={days} value={addDays(today, days)}>
            {formatDay(addDays(today, days))}
          </option>
        ))}
      </datalist>
    </>
  );
}

const TimeField = ({ onChange, ...field }: FieldProps<string> & { label: string }) => (
  <TextField
    {...field}
    placeholder="hh:mm"
    inputMode="numeric"
    autoComplete="off"
    maxLength={5}
    onChange={(typed) => onChange(maskTime(typed, field.value ?? ""))}
  />
);
