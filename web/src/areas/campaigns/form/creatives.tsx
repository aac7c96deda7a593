import { Button } from "@mantine/core";
import { CAMPAIGN_FORMATS, CAMPAIGN_FORMAT_LABELS, type CampaignFormat } from "@millrace/contract";
import { Suspense, lazy, useId, useRef } from "react";
import { ChoiceField } from "../../../ui/form/choice-field.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { CreativePill } from "../parts/pills.tsx";
import classes from "./creatives.module.css";
import { type CreativeDraft, creativeErrorText } from "./draft.ts";
import formClasses from "./form.module.css";
import { fileSizeText, sizeText } from "./image-file.ts";
import type { Choices } from "./targeting.tsx";
import type { CampaignForm } from "./use-campaign-form.ts";

const loadEditor = () => import("./creative-editor.tsx");
const CreativeEditor = lazy(async () => ({ default: (await loadEditor()).CreativeEditor }));

const FORMATS = CAMPAIGN_FORMATS.map((value) => ({ value, label: CAMPAIGN_FORMAT_LABELS[value] }));

interface CreativesProps {
  form: CampaignForm;
  banners: Choices["banners"];
  /** The index of the creative in the preview. */
  shown: number;
  onShow: (index: number) => void;
}

/** The campaign's creatives, and the editor of one of them. */
export function Creatives({ form, banners, shown, onShow }: CreativesProps) {
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
        {creatives.length === 0 ? (
          <div className={classes.format}>
            <ChoiceField {...form.field("campaign_format")} label="Format" options={FORMATS} />
          </div>
        ) : null}
        {creatives.length > 0 ? (
          <table className={classes.table}>
            <caption className="visually-hidden">Creatives of the campaign</caption>
            <thead className="visually-hidden">
              <tr>
                <th scope="col">Creative</th>
                <th scope="col">Status</th>
                <th scope="col">Actions</th>
              </tr>
            </thead>
            <tbody>
              {creatives.map((creative, index) => (
                <CreativeRow
                  // oxlint-disable-next-line react/no-array-index-key -- new creatives may be equal, and rows hold no state
                  key={`${creative.c_id ?? creative.image.url} ${index}`}
                  creative={creative}
                  isShown={index === shown}
                  isLocked={editing !== null}
                  onShow={() => onShow(index)}
                  onEdit={() => {
                    onShow(index);
                    setEditing(index);
                  }}
                  onDelete={() => remove(index)}
                />
              ))}
            </tbody>
          </table>
        ) : editing === null ? (
          <p className={formClasses.hint}>
            None yet. A campaign needs at least one, and each is reviewed before it is shown.
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
              start={{ format: draft.campaign_format as CampaignFormat, store_id: draft.store_id }}
              banners={banners}
              onSave={put}
              onCancel={close}
            />
          </Suspense>
        )}
      </fieldset>
    </Panel>
  );
}

interface RowProps {
  creative: CreativeDraft;
  isShown: boolean;
  /** While a creative is edited, no other can be, and none can be deleted. */
  isLocked: boolean;
  onShow: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

function CreativeRow({ creative, isShown, isLocked, onShow, onEdit, onDelete }: RowProps) {
  const { format, store_id, image, status, reason, click_url } = creative;
  const name = `${CAMPAIGN_FORMAT_LABELS[format]} ${sizeText(image)}`;
  return (
    <tr data-shown={isShown ? "" : undefined}>
      <th scope="row">
        <button
          type="button"
          className={classes.thumb}
          aria-pressed={isShown}
          aria-label={`Preview ${name}`}
          onClick={onShow}
        >
          <img src={image.url} alt="" loading="lazy" />
        </button>
        <span className={classes.name}>
          <b>{name}</b>
          <small title={click_url}>
            {store_id} · {fileSizeText(image.size)}
          </small>
        </span>
      </th>
      <td>
        <CreativePill status={status} />
        {status === "blocked" && reason !== null ? <small className={classes.reason}>{reason}</small> : null}
      </td>
      <td className={classes.actions}>
        <Button variant="default" size="xs" disabled={isLocked} aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button variant="default" size="xs" disabled={isLocked} aria-label={`Delete ${name}`} onClick={onDelete}>
          Delete
        </Button>
      </td>
    </tr>
  );
}
