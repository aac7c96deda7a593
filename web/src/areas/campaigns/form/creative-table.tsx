import { Button } from "@mantine/core";
import { CAMPAIGN_FORMAT_LABELS } from "@millrace/contract";
import { CreativePill } from "../parts/pills.tsx";
import classes from "./creatives.module.css";
import type { CreativeDraft } from "./draft.ts";
import { fileSizeText, sizeText } from "./upload-rules.ts";

interface CreativeTableProps {
  creatives: readonly CreativeDraft[];
  /** The index of the creative in the preview. */
  shown: number;
  /** While a creative is edited, no other can be, and none can be deleted. */
  isLocked: boolean;
  onShow: (index: number) => void;
  onEdit: (index: number) => void;
  onDelete: (index: number) => void;
}

/** The campaign's creatives with their states. */
export function CreativeTable({ creatives, shown, isLocked, onShow, onEdit, onDelete }: CreativeTableProps) {
  return (
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
            isLocked={isLocked}
            onShow={() => onShow(index)}
            onEdit={() => onEdit(index)}
            onDelete={() => onDelete(index)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  creative: CreativeDraft;
  isShown: boolean;
  isLocked: boolean;
  onShow: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

function CreativeRow({ creative, isShown, isLocked, onShow, onEdit, onDelete }: RowProps) {
  const { format, store_id, country, image, status, reason, click_url } = creative;
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
          {image.video ? (
            <video src={image.url} muted playsInline preload="metadata" />
          ) : (
            <img src={image.url} alt="" loading="lazy" />
          )}
        </button>
        <span className={classes.name}>
          <b>{name}</b>
          <small title={click_url}>
            {store_id}
            {country === "" ? "" : ` (${country})`} · {fileSizeText(image.size)}
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
