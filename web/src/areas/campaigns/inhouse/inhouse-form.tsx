import { Button } from "@mantine/core";
import type { Reply, addInhouse } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useUnsaved } from "../../../shared/form/leave-guard.tsx";
import { PATHS } from "../../../shared/paths.ts";
import { Panel } from "../../../ui/panel.tsx";
import { WorkButton } from "../../../ui/work-button.tsx";
import formClasses from "../form/form.module.css";
import summaryClasses from "../form/summary.module.css";
import type { InhouseDraft } from "./inhouse-draft.ts";
import { Creative } from "./inhouse-creative.tsx";
import { Installs } from "./inhouse-installs.tsx";
import { type InhouseChoices, NoApps, Promoted, Shown } from "./inhouse-parts.tsx";
import { Preview } from "./inhouse-preview.tsx";
import { inhouseWords } from "./inhouse-words.ts";
import { useInhouseForm } from "./use-inhouse-form.ts";

interface InhouseFormProps {
  /** Null for a new campaign. */
  uuid: string | null;
  initial: InhouseDraft;
  choices: InhouseChoices;
  onSaved: (reply: Reply<typeof addInhouse>) => void;
}

/** The settings of an in-house campaign; beside them, what they will do. */
export function InhouseForm({ uuid, initial, choices, onSaved }: InhouseFormProps) {
  const [saved] = useState(initial);
  const form = useInhouseForm({ uuid, initial: saved, onSaved });
  useUnsaved(form.dirty);
  const { pending, message } = form.submit;
  return (
    <form {...form.props} noValidate className={formClasses.form}>
      <div className={formClasses.columns}>
        <div className={formClasses.settings}>
          {choices.apps.length === 0 ? <NoApps /> : null}
          <Promoted form={form} choices={choices} />
          <Shown form={form} choices={choices} />
          <Creative form={form} />
          {uuid === null ? null : <Installs uuid={uuid} />}
        </div>
        <aside className={formClasses.beside} aria-label="What the campaign will do">
          <Panel title="What it will do" aside="With these settings">
            <dl className={summaryClasses.words}>
              {inhouseWords(form.draft, choices).map(({ about, text, open }) => (
                <div key={about} data-open={open ? "" : undefined}>
                  <dt>{about}</dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </Panel>
          <Preview draft={form.draft} />
        </aside>
      </div>
      <div className={formClasses.bar}>
        <WorkButton type="submit" working={pending}>
          Save campaign
        </WorkButton>
        <Button variant="default" renderRoot={(props) => <Link {...props} to={PATHS.inhouse} search={{}} />}>
          Cancel
        </Button>
        <p className={formClasses.message} role="alert">
          {message}
        </p>
      </div>
    </form>
  );
}
