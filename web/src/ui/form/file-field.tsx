import { type DragEvent, useId, useState } from "react";
import classes from "./file-field.module.css";

interface FileFieldProps {
  label: string;
  hint: string;
  /** Such as `.csv,text/csv`. */
  accept: string;
  /** The chosen file's name. */
  chosen: string | undefined;
  error: string | undefined;
  onFile: (file: File) => void;
}

/** Takes one file: by the file picker, by keyboard, or by dropping it. */
export function FileField({ label, hint, accept, chosen, error, onFile }: FileFieldProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const drag = (event: DragEvent, isOver: boolean) => {
    event.preventDefault();
    setOver(isOver);
  };
  const take = (file: File | undefined) => {
    if (file) onFile(file);
  };
  return (
    <div>
      <div
        className={classes.zone}
        data-over={over ? "" : undefined}
        data-wrong={error === undefined ? undefined : ""}
        onDragOver={(event) => drag(event, true)}
        onDragLeave={(event) => drag(event, false)}
        onDrop={(event) => {
          drag(event, false);
          take(event.dataTransfer.files[0]);
        }}
      >
        <input
          type="file"
          id={id}
          accept={accept}
          aria-describedby={`${id}-hint ${id}-error`}
          aria-invalid={error !== undefined}
          onChange={({ currentTarget }) => {
            take(currentTarget.files?.[0]);
            // The same file can be chosen again after it was changed.
            currentTarget.value = "";
          }}
        />
        <label htmlFor={id}>{chosen ?? label}</label>
        <small id={`${id}-hint`}>{chosen === undefined ? hint : "Choose another file, or drop it here"}</small>
      </div>
      <p id={`${id}-error`} className={classes.error} aria-live="polite">
        {error}
      </p>
    </div>
  );
}
