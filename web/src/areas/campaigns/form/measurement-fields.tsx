import { CLICK_WINDOW_DAYS, HOLD_OUT, LINK_MACROS, VIEW_WINDOW_HOURS } from "@millrace/contract";
import { useState } from "react";
import { Fold } from "../../../ui/fold.tsx";
import { ChoiceField } from "../../../ui/form/choice-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { AttributionProvider } from "./attribution-provider.tsx";
import { MOST_TYPED } from "./typed.ts";
import classes from "./form.module.css";
import own from "./measurement.module.css";
import { Postbacks } from "./postbacks.tsx";
import { PROVIDERS, providerOf } from "./providers.ts";
import type { CampaignForm } from "./use-campaign-form.ts";

const ROTATIONS = [
  { value: "even", label: "Evenly", hint: "Every creative is shown equally often." },
  { value: "learn", label: "Learn", hint: "Creatives with a higher click rate are shown more often." },
];

interface MeasurementProps {
  form: CampaignForm;
  /** Null for a new campaign, whose postbacks have no address yet. */
  uuid: string | null;
}

/** What follows clicks and impressions: links of an attribution provider, windows, postbacks, and how creatives are compared. */
export function MeasurementFields({ form, uuid }: MeasurementProps) {
  const { draft, field } = form;
  // Until one is chosen, it is the one whose link was saved.
  const [providerId, setProvider] = useState(() => providerOf(draft.click_link)?.id ?? "");
  const provider = PROVIDERS.find(({ id }) => id === providerId);
  const lacksClickId = draft.click_link.trim() !== "" && !/\{click_id\}/i.test(draft.click_link);
  const number = { inputMode: "numeric", autoComplete: "off", maxLength: 3 } as const;
  const link = { type: "url", autoComplete: "off", maxLength: MOST_TYPED, spellCheck: false } as const;
  return (
    <Panel title="Measurement" aside="Optional">
      <div className={classes.stack}>
        <AttributionProvider form={form} uuid={uuid} provider={provider} onChoose={setProvider} />
        <TextField
          {...field("click_link")}
          {...link}
          label="Click link (optional)"
          description="Where clicks lead instead of the creatives' addresses"
          placeholder="https://"
        />
        {lacksClickId ? (
          <p className={own.unconfirmed}>
            {"The link has no {click_id}, so no postback can tell which click it follows."}
          </p>
        ) : null}
        <TextField
          {...field("view_link")}
          {...link}
          label="Impression link (optional)"
          description="Called with each counted impression"
          placeholder="https://"
        />
        <Fold
          title="Values that a link may have"
          count={Object.keys(LINK_MACROS).length}
          about="Each is filled in when the ad is clicked or shown."
        >
          <dl className={own.macros}>
            {Object.entries(LINK_MACROS).map(([name, meaning]) => (
              <div key={name}>
                <dt>
                  <code>{`{${name}}`}</code>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </Fold>
        <div className={classes.triple}>
          <TextField
            {...field("conversion_event")}
            autoComplete="off"
            maxLength={64}
            spellCheck={false}
            label="Conversion event"
            description="The event that counts"
          />
          <TextField
            {...field("click_window")}
            {...number}
            label="Days after a click"
            description={`${CLICK_WINDOW_DAYS.least} to ${CLICK_WINDOW_DAYS.most}`}
          />
          <TextField
            {...field("view_window")}
            {...number}
            label="Hours after a view"
            description={`${VIEW_WINDOW_HOURS.least} to ${VIEW_WINDOW_HOURS.most}; reported apart`}
          />
        </div>
        <div className={classes.pair}>
          <ChoiceField {...field("rotation")} label="Creatives are shown" options={ROTATIONS} inLines />
          {draft.rotation === "learn" ? (
            <TextField
              {...field("hold_out")}
              {...number}
              label="Kept even, in %"
              description={`${HOLD_OUT.least} to ${HOLD_OUT.most}; only these are compared with each other`}
            />
          ) : null}
        </div>
        {uuid === null ? (
          <p className={classes.hint}>The address for postbacks is here once the campaign is saved.</p>
        ) : (
          <Postbacks uuid={uuid} provider={provider} goal={draft.conversion_event.trim() || undefined} />
        )}
      </div>
    </Panel>
  );
}
