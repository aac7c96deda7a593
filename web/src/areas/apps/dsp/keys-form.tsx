import { DSP_FORMATS, type Keys, NO_KEYS, type RtbExt, TEXTS, partnerAddFailedText } from "@millrace/contract";
import { z } from "zod";
import { ApiError, isLoggedOut } from "../../../shared/call-api.ts";
import { type Reload, ReloadIfStale } from "../../../shared/form/reload-button.tsx";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { type KeysPlace, usePutKeys } from "../api.ts";
import { FORMAT_WORDS } from "../parts/partner-name.tsx";
import { KeyField } from "../../../shared/keys/key-field.tsx";
import { type Typed, fieldsOf, keyFaults, keysOf, typedOf } from "../../../shared/keys/key-fields.ts";

interface KeysFormProps {
  uuid: string;
  schemas: RtbExt["schemas"];
  /** The keys to edit; null to add new ones. */
  edited: (KeysPlace & { keys: Keys; revision: string | undefined }) | null;
  /** Whether a partner and format already have keys, which are then edited instead. */
  isTaken: (place: KeysPlace) => boolean;
  onDone: (name: string) => void;
  onCancel: () => void;
  /** Of keys that are edited. */
  onReload?: Reload;
}

// Partner and format are fixed fields; the partner's schema defines the keys.
const Filled = z.looseObject({
  dsp_id: z.string().min(1, TEXTS.required),
  dsp_format: z.enum(DSP_FORMATS, TEXTS.required),
});

/** The form for a partner's keys, rendered from the partner's schema. */
export function KeysForm({ uuid, schemas, edited, isTaken, onDone, onCancel, onReload }: KeysFormProps) {
  const put = usePutKeys(uuid);
  const partnerOf = (id: string | undefined) => (id === undefined ? undefined : schemas[id]);
  const nameOf = (id: string) => partnerOf(id)?.dsp_name ?? id;
  const form = useContractForm({
    schema: Filled,
    initial: { dsp_id: edited?.dsp ?? "", dsp_format: edited?.format ?? "", ...(edited ? typedOf(edited.keys) : {}) },
    check: (filled) => {
      const partner = partnerOf(filled.dsp_id);
      const format = DSP_FORMATS.find((known) => known === filled.dsp_format);
      const place = edited || !partner || !format ? null : { dsp: filled.dsp_id ?? "", format };
      return {
        dsp_format: place && isTaken(place) ? "This app has keys here already. Edit them in the list" : undefined,
        ...(partner ? keyFaults(partner.keys_schema, filled as Typed) : {}),
      };
    },
    send: async (filled) => {
      const { dsp_id: dsp, dsp_format: format } = filled;
      const partner = partnerOf(dsp);
      const keys = partner ? keysOf(partner.keys_schema, filled as Typed) : {};
      const revision = edited ? edited.revision : NO_KEYS;
      return put
        .mutateAsync({ dsp, format, revision, keys })
        .catch((failure: unknown) => rethrow(failure, nameOf(dsp)));
    },
    onDone: (_, { dsp_id }) => onDone(nameOf(dsp_id)),
  });
  const partner = partnerOf(form.values.dsp_id);
  const fixed = edited !== null;
  return (
    <Form {...form.props}>
      <SelectField
        {...form.field("dsp_id")}
        label="Partner *"
        placeholder="Choose a partner"
        options={partnerOptions(schemas)}
        disabled={fixed}
        onChange={(id) => {
          const formats = schemas[id]?.formats ?? [];
          // The typed values belong to another partner.
          form.reset();
          form.set({ dsp_id: id, dsp_format: formats.length === 1 ? formats[0] : "" });
        }}
      />
      <SelectField
        {...form.field("dsp_format")}
        label="Format *"
        placeholder="Choose a format"
        disabled={fixed || !partner}
        options={(partner?.formats ?? []).map((format) => ({ value: format, label: FORMAT_WORDS[format] }))}
      />
      {partner
        ? fieldsOf(partner.keys_schema).map(({ name, ...key }) => (
            <KeyField key={`${form.values.dsp_id} ${name}`} field={form.field(name)} {...key} />
          ))
        : null}
      <Submit
        {...form.submit}
        onCancel={onCancel}
        beside={<ReloadIfStale message={form.submit.message} onReload={onReload} />}
      >
        {fixed ? "Save keys" : "Add keys"}
      </Submit>
    </Form>
  );
}

const partnerOptions = (schemas: RtbExt["schemas"]) =>
  Object.entries(schemas)
    .map(([value, { dsp_name }]) => ({ value, label: dsp_name }))
    .toSorted((a, b) => a.label.localeCompare(b.label));

/** Field errors are shown under their fields, and a refusal says why; any other failure may be caused by an ad blocker, and says so. */
function rethrow(failure: unknown, partner: string): never {
  if (isLoggedOut(failure) || !(failure instanceof ApiError) || Object.keys(failure.fields).length > 0) throw failure;
  if (failure.status === 409) throw failure;
  const cause = failure.message === TEXTS.requestFailed ? "" : ` (${failure.message})`;
  throw new ApiError(failure.status, partnerAddFailedText(partner) + cause);
}
