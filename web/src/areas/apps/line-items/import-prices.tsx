import { useContext, useState } from "react";
import { ApiError, messageOf } from "../../../shared/call-api.ts";
import { FileField } from "../../../ui/form/file-field.tsx";
import { Submit } from "../../../ui/form/form.tsx";
import { Unsaved, useUnsaved } from "../../../ui/form/unsaved.ts";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import classes from "./line-items.module.css";
import { useImportPrices } from "./use-line-items.ts";

interface ImportPricesProps {
  uuid: string;
  onClose: () => void;
}

/** A dialog that replaces prices by those of a CSV file. */
export const ImportPrices = (props: ImportPricesProps) => (
  <Modal opened onClose={props.onClose} title="Import prices">
    <PricesFile {...props} />
  </Modal>
);

/** A file with a wrong line changes no price, and its faults are listed. */
function PricesFile({ uuid, onClose }: ImportPricesProps) {
  const send = useImportPrices(uuid);
  const { tell } = useNotify();
  const [file, setFile] = useState<File | null>(null);
  useUnsaved(file !== null);
  const { watch } = useContext(Unsaved);
  const faults = send.error instanceof ApiError ? Object.entries(send.error.fields) : [];
  const submit = async () => {
    if (file === null) return;
    const hasLeft = watch();
    await send.mutateAsync(file);
    tell("Prices imported");
    // By then, another dialog may be open.
    if (!hasLeft()) onClose();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // The mutation holds the failure.
        submit().catch(() => undefined);
      }}
    >
      <p className={classes.about}>
        A CSV file with the columns <code>line_item</code>, <code>country</code> and <code>price</code>: a line item's
        name, a country's two letters (empty for every other), dollars per thousand impressions. The prices of the line
        items that it names are replaced.
      </p>
      <FileField
        label="Choose a CSV file"
        hint="or drop it here"
        accept=".csv,text/csv"
        chosen={file?.name}
        error={undefined}
        onFile={(chosen) => {
          send.reset();
          setFile(chosen);
        }}
      />
      {faults.length === 0 ? null : (
        <ul className={classes.faults} aria-label="Wrong lines">
          {faults.map(([place, message]) => (
            <li key={place}>
              <b>{place}</b> {message}
            </li>
          ))}
        </ul>
      )}
      <Submit
        pending={send.isPending}
        message={send.isError ? (faults.length > 0 ? "No price was changed." : messageOf(send.error)) : null}
        onCancel={onClose}
      >
        Import prices
      </Submit>
    </form>
  );
}
