import type { Reply, addInhouse } from "@millrace/contract";
import { type ComponentProps, Suspense, lazy, useState } from "react";
import type { Reload } from "../../../shared/form/reload-button.tsx";
import { PATHS } from "../../../shared/paths.ts";
import { Panel } from "../../../ui/panel.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { WhenSeen } from "../../../ui/when-seen.tsx";
import formClasses from "../form/form.module.css";
import { SaveBar } from "../form/save-bar.tsx";
import type { InhouseDraft } from "./inhouse-draft.ts";
import { type InhouseChoices, NoApps, Promoted, InhouseTargeting } from "./inhouse-parts.tsx";
import { type InhouseForm as FormState, useInhouseForm } from "./use-inhouse-form.ts";

const Creative = lazy(async () => ({ default: (await import("./inhouse-creative.tsx")).Creative }));
const Summary = lazy(async () => ({ default: (await import("./inhouse-summary.tsx")).Summary }));
const Preview = lazy(async () => ({ default: (await import("./inhouse-preview.tsx")).Preview }));
const Installs = lazy(async () => ({ default: (await import("./inhouse-installs.tsx")).Installs }));

interface InhouseFormProps {
  /** Null for a new campaign. */
  uuid: string | null;
  /** Of the saved campaign that the form begins with. */
  revision?: string;
  onReload?: Reload;
  initial: InhouseDraft;
  choices: InhouseChoices;
  onSaved: (reply: Reply<typeof addInhouse>) => void;
}

/** The settings of an in-house campaign; beside them, what they will do. */
export function InhouseForm({ uuid, revision, initial, choices, onSaved, onReload }: InhouseFormProps) {
  const [saved] = useState(initial);
  const form = useInhouseForm({ uuid, revision, initial: saved, onSaved });
  return (
    <form {...form.props} noValidate className={formClasses.form}>
      <div className={formClasses.columns}>
        <div className={formClasses.settings}>
          {choices.apps.length === 0 ? <NoApps /> : null}
          <Promoted form={form} choices={choices} />
          <InhouseTargeting form={form} choices={choices} />
          <CreativeLater form={form} isNew={uuid === null} />
          {uuid === null ? null : (
            <Suspense>
              <Installs uuid={uuid} />
            </Suspense>
          )}
        </div>
        <aside className={formClasses.beside} aria-label="What the campaign will do">
          <SummaryLater draft={form.draft} choices={choices} isEmpty={uuid === null && !form.dirty} />
          <PreviewLater draft={form.draft} />
        </aside>
      </div>
      <SaveBar submit={form.submit} list={PATHS.inhouse} onReload={onReload} />
    </form>
  );
}

/** A new campaign's files come last, so they load when one scrolls to them, begins to fill in the form, or tries to send it. */
function CreativeLater({ form, isNew }: { form: FormState; isNew: boolean }) {
  const rows = (
    <Panel title="Creative">
      <RowsSkeleton rows={6} />
      {/* A form shows an error at a field only if it has the field. */}
      {["image_l", "image_p"].map((name) => (
        <fieldset key={name} name={name} className={formClasses.bare} />
      ))}
    </Panel>
  );
  return (
    <WhenSeen fallback={rows} now={!isNew || form.dirty || Object.keys(form.errors).length > 0}>
      <Suspense fallback={rows}>
        <Creative form={form} />
      </Suspense>
    </WhenSeen>
  );
}

/** A form that nobody has touched says nothing of a campaign. */
function SummaryLater({ isEmpty, ...shown }: ComponentProps<typeof Summary> & { isEmpty: boolean }) {
  const empty = (
    <Panel title="What it will do" aside="With these settings">
      <p className={formClasses.hint}>Fill in the form to see what the campaign will do.</p>
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

/** Without a file there is nothing to preview yet. */
function PreviewLater({ draft }: { draft: InhouseDraft }) {
  const empty = (
    <Panel title="Preview">
      <p className={formClasses.hint}>The creative appears here.</p>
    </Panel>
  );
  return (draft.image_l ?? draft.image_p ?? draft.video) ? (
    <Suspense fallback={empty}>
      <Preview draft={draft} />
    </Suspense>
  ) : (
    empty
  );
}
