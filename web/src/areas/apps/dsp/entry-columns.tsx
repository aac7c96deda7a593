import type { Keys } from "@millrace/contract";
import type { Column } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import type { KeysPlace } from "../api.ts";
import { FORMAT_WORDS, PartnerName } from "../parts/partner-name.tsx";
import classes from "./dsp.module.css";
import { type KeysForm, keyText } from "../../../shared/keys/key-fields.ts";

/** The keys at one partner for one format. */
export interface Entry extends KeysPlace {
  name: string;
  keys: Keys;
  revision: string | undefined;
  /** The partner's form; undefined if the platform no longer supports the partner. */
  form: KeysForm | undefined;
  /** Of a bidder of the demo that misbehaves on purpose. */
  isTest: boolean;
}

interface EntryActions {
  onEdit: (entry: Entry) => void;
  onDelete: (entry: Entry) => void;
}

/** The list's columns. */
export function entryColumns(actions: EntryActions): Column<Entry>[] {
  return [
    {
      id: "name",
      head: "Partner",
      cell: ({ name }) => <PartnerName name={name} />,
    },
    { id: "format", head: "Format", leads: true, cell: ({ format }) => FORMAT_WORDS[format] },
    { id: "keys", head: "Keys", cell: (entry) => <KeyList {...entry} /> },
    actionsColumn((entry) => {
      const of = `${entry.name}, ${FORMAT_WORDS[entry.format]}`;
      return (
        <>
          {entry.form ? <RowAction label="Edit" of={of} onClick={() => actions.onEdit(entry)} /> : null}
          <RowAction label="Delete" of={of} onClick={() => actions.onDelete(entry)} />
        </>
      );
    }),
  ];
}

function KeyList({ keys, form }: Entry) {
  const entries = Object.entries(keys);
  if (entries.length === 0) return <span className={classes.faint}>needs none</span>;
  return (
    <dl className={classes.keys}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{form?.properties[name]?.title ?? name}</dt>
          <dd>{keyText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
