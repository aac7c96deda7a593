import { Button } from "@mantine/core";
import { PLATFORM_LABELS, notFoundText } from "@millrace/contract";
import { useId } from "react";
import type { FieldProps } from "../../../ui/form/field-props.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { Initials } from "../../../ui/initials.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { foundFaults, platformOf } from "./add-rules.ts";
import classes from "./add.module.css";
import { FlagFields } from "./flag-fields.tsx";
import type { Lookup } from "./look-up-app.ts";
import { useAddForm } from "./use-add-form.ts";

interface FoundFormProps {
  lookup: Lookup;
  onBack: () => void;
  onAdded: () => void;
}

/** What the store has at the address, to choose from. */
export function FoundForm({ lookup: { url, qid, items }, onBack, onAdded }: FoundFormProps) {
  const platformOfItem = (item: string | undefined) => platformOf(items.find(({ id }) => id === item)?.platform);
  const only = items.length === 1 ? items[0]?.id : undefined;
  const form = useAddForm({
    initial: { qid, ...(only === undefined ? {} : { item: only }) },
    check: foundFaults,
    platform: ({ item }) => platformOfItem(item),
    onAdded,
  });
  const again = (
    <Button variant="default" onClick={onBack}>
      Search again
    </Button>
  );
  if (items.length === 0) {
    return <EmptyNote title={notFoundText("apps")} why={`The store has nothing at ${url}.`} action={again} />;
  }
  return (
    <Form {...form.props}>
      <FoundApps {...form.field("item")} items={items} />
      {form.values.item === undefined ? null : <FlagFields form={form} platform={platformOfItem(form.values.item)} />}
      <Submit {...form.submit} beside={again}>
        Add app
      </Submit>
    </Form>
  );
}

function FoundApps({ items, name, value, error, onChange }: FieldProps<string> & { items: Lookup["items"] }) {
  const id = useId();
  return (
    <fieldset
      role="radiogroup"
      className={classes.found}
      aria-invalid={error !== undefined}
      aria-describedby={error === undefined ? undefined : id}
    >
      <legend>Found in the store</legend>
      {items.map((item, index) => (
        <label key={item.id} className={classes.item}>
          <input
            type="radio"
            name={name}
            value={item.id}
            checked={item.id === value}
            onChange={() => onChange(item.id)}
            // The search field that had the focus is gone.
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- see above
            autoFocus={index === 0}
          />
          <Initials name={item.name} image={item.logo_url} size={36} />
          <span>
            {item.name}
            <small>
              {PLATFORM_LABELS[item.platform]} · {item.url}
            </small>
          </span>
        </label>
      ))}
      {error === undefined ? null : (
        <p id={id} className={classes.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
