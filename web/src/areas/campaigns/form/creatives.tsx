import { Button } from "@mantine/core";
import { CAMPAIGN_FORMATS, CAMPAIGN_FORMAT_LABELS, type CampaignFormat } from "@millrace/contract";
import { Suspense, lazy, useId, useRef } from "react";
import { ChoiceField } from "../../../ui/form/choice-field.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { SkeletonBar } from "../../../ui/states/skeletons.tsx";
import classes from "./creatives.module.css";
import { type CreativeDraft, creativeErrorText } from "./draft.ts";
import formClasses from "./form.module.css";
import type { Choices } from "./targeting.tsx";
import type { CampaignForm } from "./use-campaign-form.ts";

// A new campaign has no creatives yet. The table of the first one is there when its editor is.
const loadTable = () => import("./creative-table.tsx");
const loadEditor = async () => (await Promise.all([import("./creative-editor.tsx"), loadTable()]))[0];
const CreativeEditor = lazy(async () => ({ default: (await loadEditor()).CreativeEditor }));
const CreativeTable = lazy(async () => ({ default: (await loadTable()).CreativeTable }));

const FORMATS = CAMPAIGN_FORMATS.map((value) => ({ value, label: CAMPAIGN_FORMAT_LABELS[value] }));

interface CreativesProps {
  form: CampaignForm;
  /** A saved campaign keeps its format. */
  isNew: boolean;
  choices: Pick<Choices, "banners" | "countries">;
  /** The index of the creative in the preview. */
  shown: number;
  onShow: (index: number) => void;
}

/** The campaign's creatives, and the editor of one of them. */
export function Creatives({ form, isNew, choices, shown, onShow }: CreativesProps) {
  const { draft, set, errors, editing, setEditing } = form;
  const { creatives } = draft;
  const id = useId();
  const add = useRef<HTMLButtonElement>(null);
  const faults = Object.entries(errors)
    .filter(([path]) => path.split(".")[0] === "creatives")
    .map(([path, message]) => creativeErrorText(path, message, creatives));

  const close = () => {
    setEditing(null);
    // The editor's focused button disappears, and this one reappears.
    setTimeout(() => add.current?.focus());
  };
  const put = (creative: CreativeDraft) => {
    const at = editing ?? creatives.length;
    set({ creatives: at === creatives.length ? [...creatives, creative] : creatives.with(at, creative) });
    onShow(at);
    close();
  };
  const remove = (index: number) => {
    set({ creatives: creatives.toSpliced(index, 1) });
    if (shown >= index && shown > 0) onShow(shown - 1);
    add.current?.focus();
  };

  return (
    <Panel title="Creatives" aside={creatives.length > 0 ? `${creatives.length} in total` : undefined}>
      <fieldset
        name="creatives"
        className={formClasses.stack}
        aria-label="Creatives"
        aria-describedby={faults.length > 0 ? id : undefined}
        data-invalid={faults.length > 0 ? "" : undefined}
      >
        {creatives.length === 0 && isNew ? (
          <div className={classes.format}>
            <ChoiceField {...form.field("campaign_format")} label="Format" options={FORMATS} />
          </div>
        ) : null}
        {creatives.length > 0 ? (
          <Suspense fallback={<SkeletonBar height="62px" />}>
            <CreativeTable
              creatives={creatives}
              shown={shown}
              isLocked={editing !== null}
              onShow={onShow}
              onEdit={(index) => {
                onShow(index);
                setEditing(index);
              }}
              onDelete={remove}
            />
          </Suspense>
        ) : editing === null ? (
          <p className={formClasses.hint}>
            None yet. A campaign needs at least one, and each is shown only once it is approved.
          </p>
        ) : null}
        {faults.length > 0 ? (
          <ul id={id} className={classes.refusals}>
            {faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        ) : null}
        {editing === null ? (
          <Button
            ref={add}
            variant="default"
            className={classes.add}
            onPointerEnter={() => void loadEditor()}
            onFocus={() => void loadEditor()}
            onClick={() => setEditing(creatives.length)}
          >
            Add a creative
          </Button>
        ) : (
          <Suspense>
            <CreativeEditor
              key={`${editing} ${draft.campaign_format}`}
              creative={creatives[editing] ?? null}
              start={{ format: draft.campaign_format as CampaignFormat, store_id: creativeIdOf(draft.store_id) }}
              banners={choices.banners}
              countries={choices.countries}
              onSave={put}
              onCancel={close}
            />
          </Suspense>
        )}
      </fieldset>
    </Panel>
  );
}

/** Creatives' ids have neither capitals nor underscores. */
const creativeIdOf = (storeId: string): string => storeId.toLowerCase().replaceAll("_", "");
