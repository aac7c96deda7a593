import type { Reply, addCampaign } from "@millrace/contract";
import { useState } from "react";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { useUnsaved } from "../../../ui/form/unsaved.ts";
import { useSaveCampaign } from "../api.ts";
import { CampaignDraft, type Draft, bodyOf, draftFaults } from "./draft.ts";

interface Options {
  /** Null for a new campaign. */
  uuid: string | null;
  revision: string | undefined;
  initial: Draft;
  onSaved: (reply: Reply<typeof addCampaign>) => void;
}

/** What is searched for is not a change. */
const keyOf = (draft: Draft): string => JSON.stringify({ ...draft, url: "" });

/** The state of a campaign's form. Its errors keep their paths in the call's body, such as `bid.value`. */
export function useCampaignForm({ uuid, revision, initial, onSaved }: Options) {
  const save = useSaveCampaign(uuid, revision);
  /** The index of the creative that is being edited; the number of creatives for a new one. */
  const [editing, setEditing] = useState<number | null>(null);
  useUnsaved(editing !== null);
  const form = useContractForm({
    schema: CampaignDraft,
    initial,
    nested: true,
    check: (values) => ({
      ...draftFaults(values as Draft, { isNew: uuid === null, savedEnd: initial.end_date, nowMs: Date.now() }),
      ...(editing !== null && { creatives: "Save or cancel the creative that is being edited" }),
    }),
    send: (draft) => save.mutateAsync({ body: bodyOf(draft), startsNow: draft.starts_now }),
    onDone: onSaved,
  });
  const draft = form.values as Draft;
  return {
    ...form,
    draft,
    editing,
    setEditing,
    dirty: keyOf(draft) !== keyOf(initial) || editing !== null,
    /** The props of a field for the error of a path, if the value is part of another. */
    part: (path: string, value: string, onChange: (value: string) => void) => ({
      name: path,
      value,
      error: form.errors[path],
      onChange,
    }),
  };
}
export type CampaignForm = ReturnType<typeof useCampaignForm>;
