import { Button } from "@mantine/core";
import type { Keys } from "@millrace/contract";
import { Initials } from "../../../ui/initials.tsx";
import type { Column } from "../../../ui/table/data-table.tsx";
import type { KeysPlace } from "../api.ts";
import classes from "./dsp.module.css";
import { type KeysForm, keyText } from "./key-fields.ts";
import { FORMAT_WORDS } from "./keys-form.tsx";

/** The keys at one partner for one format. */
export interface Entry extends KeysPlace {
  name: string;
  keys: Keys;
  /** The partner's form; not there for one that the platform has given up. */
  form: KeysForm | undefined;
}

interface Doing {
  onEdit: (entry: Entry) => void;
  onDelete: (entry: Entry) => void;
}

/** The list's columns; `doing` is null where nothing may be changed. */
export function entryColumns(doing: Doing | null): Column<Entry>[] {
  const columns: Column<Entry>[] = [
    {
      id: "name",
      head: "Partner",
      cell: ({ name }) => (
        <span className={classes.partner}>
          <Initials name={name} size={22} />
          <span>{name}</span>
        </span>
      ),
    },
    { id: "format", head: "Format", cell: ({ format }) => FORMAT_WORDS[format] },
    { id: "keys", head: "Keys", cell: (entry) => <KeyList {...entry} /> },
  ];
  if (doing === null) return columns;
  return [
    ...columns,
    {
      id: "actions",
      head: "Actions",
      numeric: true,
      cell: (entry) => {
        const of = `${entry.name}, ${FORMAT_WORDS[entry.format]}`;
        return (
          <span className={classes.actions}>
            {entry.form ? (
              <Button variant="default" size="xs" aria-label={`Edit ${of}`} onClick={() => doing.onEdit(entry)}>
                Edit
              </Button>
            ) : null}
            <Button variant="default" size="xs" aria-label={`Delete ${of}`} onClick={() => doing.onDelete(entry)}>
              Delete
            </Button>
          </span>
        );
      },
    },
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
