import { type Reply, type addInhouse, inhouseFaults } from "@millrace/contract";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { useSaveInhouse } from "./inhouse-api.ts";
import { type InhouseDraft, InhouseDraftSchema, inhouseBodyOf } from "./inhouse-draft.ts";

interface Options {
  /** Null for a new campaign. */
  uuid: string | null;
  revision: string | undefined;
  initial: InhouseDraft;
  onSaved: (reply: Reply<typeof addInhouse>) => void;
}

/** The rules between fields, which the schema checks only once all fields are valid. */
const faultsOf = (draft: InhouseDraft) => {
  const { geo_type = "not_in", country = [], image_l = "", image_p = "", video = "", ...body } = inhouseBodyOf(draft);
  return inhouseFaults({ ...body, geo_type, country, image_l, image_p, video, format: draft.format });
};

/** The state of an in-house campaign's form. Its errors keep their paths in the call's body, such as `ios.max`. */
export function useInhouseForm({ uuid, revision, initial, onSaved }: Options) {
  const save = useSaveInhouse(uuid, revision);
  const form = useContractForm({
    schema: InhouseDraftSchema,
    initial,
    nested: true,
    check: (values) => faultsOf(values as InhouseDraft),
    send: (draft) => save.mutateAsync(inhouseBodyOf(draft)),
    onDone: onSaved,
  });
  const draft = form.values as InhouseDraft;
  return {
    ...form,
    draft,
    /** The props of a field for the error of a path, if the value is part of another. */
    part: (path: string, value: string, onChange: (value: string) => void) => ({
      name: path,
      value,
      error: form.errors[path],
      onChange,
    }),
  };
}
export type InhouseForm = ReturnType<typeof useInhouseForm>;
