import { Button } from "@mantine/core";
import { type LookupItem, PLATFORM_LABELS, notFoundText } from "@millrace/contract";
import type { Lookup } from "../../../shared/look-up-app.ts";
import { ChoiceField } from "../../../ui/form/choice-field.tsx";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { Initials } from "../../../ui/initials.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { foundFaults, platformOf } from "./add-rules.ts";
import { FlagFields } from "./flag-fields.tsx";
import { useAddForm } from "./use-add-form.ts";

interface FoundFormProps {
  lookup: Lookup<LookupItem>;
  onBack: () => void;
  onAdded: () => void;
}

/** The apps that the store found, to choose from. */
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
    return <EmptyNote title={notFoundText("apps")} why={`The store has no app at ${url}.`} action={again} />;
  }
  return (
    <Form {...form.props}>
      <ChoiceField
        {...form.field("item")}
        label="Found in the store"
        inLines
        takesFocus
        options={items.map(({ id, name, logo_url, platform, url: address }) => ({
          value: id,
          label: name,
          hint: `${PLATFORM_LABELS[platform]} · ${address}`,
          mark: <Initials name={name} image={logo_url} size={36} />,
        }))}
      />
      {form.values.item === undefined ? null : <FlagFields form={form} platform={platformOfItem(form.values.item)} />}
      <Submit {...form.submit} beside={again}>
        Add app
      </Submit>
    </Form>
  );
}
