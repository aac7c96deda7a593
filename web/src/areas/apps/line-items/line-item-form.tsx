import { FORMAT_LABELS, LINE_FORMATS, LINE_KINDS, LINE_MACROS, type LineItem, type LineKind } from "@millrace/contract";
import { type Reload, ReloadIfStale } from "../../../shared/form/reload-button.tsx";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { ChoiceField } from "../../../ui/form/choice-field.tsx";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { Draft, draftOf, NEW_DRAFT, readDraft } from "./line-item-draft.ts";
import classes from "./line-items.module.css";
import { useSaveLineItem } from "./use-line-items.ts";

export const KIND_LABELS = {
  vast: "VAST tag",
  html: "HTML tag",
  sdk: "SDK adapter",
} as const satisfies Record<LineKind, string>;

const MACRO_HINT = `Macros: ${Object.keys(LINE_MACROS)
  .map((name) => `{${name}}`)
  .join(" ")}`;

interface LineItemFormProps {
  uuid: string;
  /** Null for a new one. */
  item: LineItem | null;
  onClose: () => void;
  /** Of a saved one. */
  onReload?: Reload;
}

/** A dialog that adds a line item, or edits it. */
export const LineItemForm = (props: LineItemFormProps) => (
  <Modal
    opened
    onClose={props.onClose}
    title={props.item ? `Line item ${props.item.name}` : "Add a line item"}
    overlayCloses
  >
    <Fields {...props} />
  </Modal>
);

function Fields({ uuid, item, onClose, onReload }: LineItemFormProps) {
  const save = useSaveLineItem(uuid);
  const { tell } = useNotify();
  const enabled = item?.enabled ?? true;
  const form = useContractForm({
    schema: Draft,
    initial: item ? draftOf(item) : NEW_DRAFT,
    check: (draft) => {
      const parsed = readDraft({ ...NEW_DRAFT, ...draft }, enabled);
      return parsed.ok ? {} : parsed.faults;
    },
    send: async (draft) => {
      const parsed = readDraft(draft, enabled);
      return parsed.ok ? save.mutateAsync({ item, body: parsed.fields }) : null;
    },
    onDone: () => {
      tell(item ? "Line item saved" : "Line item added");
      onClose();
    },
  });
  const kind = LINE_KINDS.find((each) => each === form.values.kind) ?? "vast";
  const formats = LINE_FORMATS[kind];
  const kindField = form.field("kind");
  return (
    <Form {...form.props}>
      <TextField {...form.field("name")} label="Name" maxLength={64} autoComplete="off" data-autofocus />
      <ChoiceField
        {...kindField}
        label="What is tried"
        options={LINE_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
        onChange={(chosen) => {
          const [first] = LINE_FORMATS[LINE_KINDS.find((each) => each === chosen) ?? "vast"];
          form.set({ kind: chosen, format: first });
        }}
      />
      <SelectField
        {...form.field("format")}
        label="Format"
        options={formats.map((format) => ({ value: format, label: FORMAT_LABELS[format] }))}
      />
      {kind === "vast" ? (
        <TextField {...form.field("url")} label="Address of the tag" description={MACRO_HINT} autoComplete="off" />
      ) : null}
      {kind === "html" ? (
        <>
          <TextAreaField {...form.field("html")} label="Markup" description={MACRO_HINT} rows={5} spellCheck={false} />
          <div className={classes.pair}>
            <TextField {...form.field("w")} label="Width in pixels" inputMode="numeric" autoComplete="off" />
            <TextField {...form.field("h")} label="Height in pixels" inputMode="numeric" autoComplete="off" />
          </div>
        </>
      ) : null}
      {kind === "sdk" ? (
        <>
          <TextField
            {...form.field("adapter")}
            label="Adapter"
            description="As the app's SDK names it."
            autoComplete="off"
          />
          <TextAreaField
            {...form.field("params")}
            label="Parameters"
            description="One a line, like placement=123."
            rows={3}
            spellCheck={false}
          />
        </>
      ) : null}
      <TextField
        {...form.field("price")}
        label="Price per thousand impressions in $"
        description="In every country that has none of its own below. Without it, only those countries."
        inputMode="decimal"
        autoComplete="off"
      />
      <TextAreaField
        {...form.field("prices")}
        label="Prices by country"
        description="One a line, like US 2.50."
        rows={3}
        spellCheck={false}
      />
      <TextField
        {...form.field("zones")}
        label="Zones"
        description="Their ids, separated by spaces. Empty for all."
        autoComplete="off"
      />
      <TextField
        {...form.field("gvl_id")}
        label="Vendor id"
        description="Of the seller in the IAB's Global Vendor List: where the GDPR applies, it is then tried with consent only."
        inputMode="numeric"
        autoComplete="off"
      />
      <Submit
        {...form.submit}
        onCancel={onClose}
        beside={<ReloadIfStale message={form.submit.message} onReload={onReload} />}
      >
        {item ? "Save line item" : "Add line item"}
      </Submit>
    </Form>
  );
}
