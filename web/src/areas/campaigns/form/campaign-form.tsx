import type { Reply, addCampaign } from "@millrace/contract";
import { type ComponentProps, Suspense, lazy, useState } from "react";
import type { Reload } from "../../../shared/form/reload-button.tsx";
import { PATHS } from "../../../shared/paths.ts";
import { Panel } from "../../../ui/panel.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { WhenSeen } from "../../../ui/when-seen.tsx";
import { Advertised } from "./advertised.tsx";
import { BidBudget } from "./bid-budget.tsx";
import { Caps } from "./caps.tsx";
import { Creatives } from "./creatives.tsx";
import type { CreativeDraft, Draft } from "./draft.ts";
import classes from "./form.module.css";
import { SaveBar } from "./save-bar.tsx";
import { Schedule } from "./schedule.tsx";
import summaryClasses from "./summary.module.css";
import { type Choices, Targeting } from "./targeting.tsx";
import { dollarsOf } from "./typed.ts";
import { type CampaignForm as FormState, useCampaignForm } from "./use-campaign-form.ts";

const Reach = lazy(async () => ({ default: (await import("./reach.tsx")).Reach }));
const Summary = lazy(async () => ({ default: (await import("./summary.tsx")).Summary }));
const Preview = lazy(async () => ({ default: (await import("./preview.tsx")).Preview }));
const MeasurementFields = lazy(async () => ({
  default: (await import("./measurement-fields.tsx")).MeasurementFields,
}));
const CreativeTests = lazy(async () => ({ default: (await import("./creative-tests.tsx")).CreativeTests }));
const Spending = lazy(async () => ({ default: (await import("../parts/spending.tsx")).Spending }));

interface CampaignFormProps {
  /** Null for a new campaign. */
  uuid: string | null;
  /** Of the saved campaign that the form begins with. */
  revision?: string;
  onReload?: Reload;
  initial: Draft;
  choices: Choices;
  onSaved: (reply: Reply<typeof addCampaign>) => void;
}

/** The settings of a campaign; beside them, what they will do. */
export function CampaignForm({ uuid, revision, initial, choices, onSaved, onReload }: CampaignFormProps) {
  const [saved] = useState(initial);
  const [shown, setShown] = useState(0);
  const form = useCampaignForm({ uuid, revision, initial: saved, onSaved });
  return (
    <form {...form.props} noValidate className={classes.form}>
      <div className={classes.columns}>
        <div className={classes.settings}>
          <Advertised form={form} />
          <Schedule form={form} isNew={uuid === null} />
          <Targeting form={form} choices={choices} />
          <BidBudget form={form} />
          <Caps form={form} />
          <Creatives form={form} isNew={uuid === null} choices={choices} shown={shown} onShow={setShown} />
          <Measurement form={form} uuid={uuid} />
          {uuid === null ? null : (
            <Panel title="Comparison of creatives">
              <Suspense>
                <CreativeTests uuid={uuid} />
              </Suspense>
            </Panel>
          )}
        </div>
        <aside className={classes.beside} aria-label="What the campaign will do">
          <ReachLater draft={form.draft} />
          {uuid === null ? null : (
            <Panel title="Why is it not spending more?">
              <Suspense>
                <Spending
                  uuid={uuid}
                  onBid={(micros) => form.set({ bid: { ...form.draft.bid, value: dollarsOf(micros) } })}
                />
              </Suspense>
            </Panel>
          )}
          <SummaryLater draft={form.draft} countries={choices.countries} isEmpty={uuid === null && !form.dirty} />
          <PreviewLater creative={form.draft.creatives[shown] ?? form.draft.creatives[0]} />
        </aside>
      </div>
      <SaveBar submit={form.submit} list={PATHS.campaigns} onReload={onReload} />
    </form>
  );
}

/** Without a country there is nothing to estimate yet, and nothing to load for it. */
function ReachLater({ draft }: { draft: Draft }) {
  const isOpen = draft.geo_type === "in" && draft.country.length === 0;
  const empty = (
    <Panel title="Reach, a day" aside="With these settings">
      <p className={classes.hint}>Choose a bid, days, countries and platforms to see what they would reach.</p>
    </Panel>
  );
  return isOpen ? (
    empty
  ) : (
    <Suspense fallback={empty}>
      <Reach draft={draft} />
    </Suspense>
  );
}

/** A form that nobody has touched says nothing of a campaign. */
function SummaryLater({ isEmpty, ...shown }: ComponentProps<typeof Summary> & { isEmpty: boolean }) {
  const empty = (
    <Panel title="What it will do" aside="With these settings">
      <p className={classes.hint}>Fill in the form to see what the campaign will do.</p>
    </Panel>
  );
  return isEmpty ? (
    empty
  ) : (
    <Suspense fallback={empty}>
      <Summary {...shown} />
    </Suspense>
  );
}

/** Without a creative there is nothing to preview yet. */
function PreviewLater({ creative }: { creative: CreativeDraft | undefined }) {
  const empty = (
    <Panel title="Preview">
      <div className={summaryClasses.phone}>
        <p>The creative appears here.</p>
      </div>
    </Panel>
  );
  return creative ? (
    <Suspense fallback={empty}>
      <Preview creative={creative} />
    </Suspense>
  ) : (
    empty
  );
}

/** The last section loads when one scrolls to it, or when one of its fields has an error to show. */
function Measurement({ form, uuid }: { form: FormState; uuid: string | null }) {
  const rows = (
    <Panel title="Measurement" aside="Optional">
      <RowsSkeleton rows={6} />
    </Panel>
  );
  return (
    <WhenSeen fallback={rows} now={MEASUREMENT.some((name) => form.errors[name] !== undefined)}>
      <Suspense fallback={rows}>
        <MeasurementFields form={form} uuid={uuid} />
      </Suspense>
    </WhenSeen>
  );
}

const MEASUREMENT = [
  "click_link",
  "view_link",
  "conversion_event",
  "click_window",
  "view_window",
  "rotation",
  "hold_out",
];
